import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';

/** Entries about the same thing, filed on different days; the vote was filed two months late. */
const files = {
  'changelog.md': [
    '# 2026-11-17\n\n## Heating vote\nwhen: 2026-09-24\nfrom: 2027-01-01\nThe owners voted about the heating.\n',
    '## Heating call\nThe owners talked about the heating.\n',
    '# 2026-10-02\n\n## Heating offer\nThe owners got an offer about the heating.\n',
  ].join('\n'),
};
const clock = () => Date.parse('2026-11-18T12:00:00');

async function search(query: string, range: { dateFrom?: string; dateTo?: string } = {}) {
  const { readRun } = await roomVault(files, clock);
  const outcome = await readRun('model').search({
    queries: [query],
    mode: 'fast',
    context: 0,
    ...range,
  });
  return outcome.kind === 'found' ? outcome.passages : [];
}

describe('an entry that states the day of its event', () => {
  it.each(['heating in September', 'the owners, 24 September 2026', 'chauffage: heating, en janvier 2027'])(
    'is the best result of a query about that day or the day on which it takes effect: %s',
    async (query) => {
      const [best] = await search(query);
      expect(best).toMatchObject({ when: '2026-09-24', from: '2027-01-01', lines: { start: 1 } });
    },
  );

  it('is not the best result of a query about the day on which it was filed', async () => {
    const [best] = await search('heating of 17 November');
    expect(best).toMatchObject({
      when: null,
      from: null,
      headings: ['2026-11-17', 'Heating call'],
    });
  });

  it('is filtered by the day of the event', async () => {
    const found = await search('heating', { dateFrom: '2026-09-01', dateTo: '2026-09-30' });
    expect(found.map(({ when }) => when)).toEqual(['2026-09-24']);
    const later = await search('heating', { dateFrom: '2026-11-01' });
    expect(later.map(({ headings }) => headings)).toEqual([['2026-11-17', 'Heating call']]);
  });

  it('is shown with its dates, also before it is written', async () => {
    const shown = ' · when 2026-09-24 · from 2027-01-01\n';
    const vault = await roomVault(files, clock);
    const text = await vault.text('search', { queries: ['heating in September'] });
    expect(text).toContain(shown);
    const staged = await roomVault({ 'changelog.md': '' }, clock);
    const run = staged.writeRun('model');
    run.transaction.write(
      'vault/changelog.md' as Parameters<typeof run.transaction.write>[0],
      Buffer.from(''),
      Buffer.from(files['changelog.md']),
    );
    const found = await run.search({ queries: ['heating in September'], mode: 'fast' });
    expect(found).toMatchObject({ kind: 'found', passages: [{ when: '2026-09-24', from: '2027-01-01' }] });
  });
});
