import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { ConcatValue } from '../contract/index.ts';
import { getReadTool, verifyBlocks } from './index.ts';

const project = 'projects/x/changelog.md';
const files = {
  'changelog.md': '# 2025-09-02\n\n## Price 90\nreplaces: vault/projects/x/changelog.md § Price 80\n',
  [project]: '# 2025-07-14\n\n## Price 80\nThe boiler costs 80.\n\n## Delivery\nIn June.\n',
};
const note =
  'note: vault/projects/x/changelog.md:3 § Price 80 was replaced on 2025-09-02 by vault/changelog.md:3 § Price 90';
const value = [
  {
    heading: 'Price 80',
    lines: { start: 3, end: 4 },
    on: '2025-09-02',
    by: { path: 'vault/changelog.md', line: 3, heading: 'Price 90' },
  },
];
const boiler = { queries: ['boiler'], mode: 'fast', scopes: ['projects/'] };

describe('replaced changelog entry', () => {
  it('is marked in search results, outside of the quoted lines', async () => {
    const vault = await roomVault(files);
    const outcome = await vault.call('search', boiler);
    if (outcome.kind === 'refused') throw new Error(outcome.message);
    expect(outcome.result.text).toContain(`${note}\n\n\`\`\`vault/projects/x/changelog.md (lines 1-7`);
    expect(outcome.result.value).toMatchObject({
      sections: [{ path: 'vault/projects/x/changelog.md', replaced: value }],
    });
    expect(
      await vault.text('search', { ...boiler, queries: ['Price 90'], scopes: ['changelog.md'] }),
    ).not.toContain('note: vault');
  });

  it('is marked only while the replacing entry is staged or exists', async () => {
    const vault = await roomVault({ ...files, 'changelog.md': '# 2025-09-01\n\n## Nothing\n' });
    expect(await vault.text('search', boiler)).not.toContain('was replaced');
    const run = vault.writeRun('model');
    const content = '# 2025-09-02\n\n## Price 90\nreplaces: projects/x/changelog.md § Price 80';
    const staged = run.transaction.write(
      'vault/changelog.md' as Parameters<typeof run.transaction.write>[0],
      Buffer.from('# 2025-09-01\n\n## Nothing\n'),
      Buffer.from(content),
    );
    expect(staged.ok).toBe(true);
    const found = await getReadTool('search').call(boiler, run);
    expect(found.kind === 'result' && found.result.text).toMatch(
      /Price 80 was replaced on 2025-09-02 by vault\/changelog.md:\d+ § Price 90/,
    );
    expect(await vault.text('search', boiler)).not.toContain('was replaced');

    expect((await run.transaction.commit({ origin: 'test', summary: 'test' })).kind).toBe('written');
    expect(await vault.text('search', boiler)).toContain('was replaced');
    // Deleted without notification: the index still has the entry, but the file is checked.
    rmSync(join(vault.folder, 'changelog.md'));
    expect(await vault.text('search', boiler)).not.toContain('was replaced');
  });

  it('is in force until its replacement takes effect', async () => {
    const clock = { now: Date.parse('2026-11-18T12:00:00') };
    const vault = await roomVault(
      {
        ...files,
        'changelog.md':
          '# 2026-11-17\n\n## Price 90\nwhen: 2026-09-24\nfrom: 2027-01-01\nreplaces: projects/x/changelog.md § Price 80\n',
      },
      () => clock.now,
    );
    const quoted = { files: [{ path: project, lines: '3-4' }] };
    const upcoming = note.replace('was replaced on 2025-09-02', 'will be replaced on 2027-01-01');
    const document = await vault.text('concat', quoted);
    expect(document).toContain(upcoming);
    expect(await vault.text('search', boiler)).toContain(upcoming);
    const planned = [{ ...value[0], on: '2027-01-01', inForce: true }];
    expect(await verifyBlocks(document, vault.readRun('person'))).toMatchObject([{ replaced: planned }]);
    clock.now = Date.parse('2027-01-01T12:00:00');
    expect(await vault.text('concat', quoted)).toContain(note.replace('2025-09-02', '2027-01-01'));
  });

  it('is marked in quoted lines that contain it', async () => {
    const vault = await roomVault(files);
    const concat = async (lines: string | null) => {
      const outcome = await vault.call('concat', { files: [{ path: project, lines }] });
      if (outcome.kind === 'refused') throw new Error(outcome.message);
      const { text, value: concatenated } = outcome.result;
      return { text, replaced: (concatenated as unknown as ConcatValue).blocks[0]?.replaced };
    };
    expect(await concat('3-4')).toEqual({
      text: `\`\`\`vault/projects/x/changelog.md (lines 3-4)\n3  | ## Price 80\n4  | The boiler costs 80.\n\`\`\`\n\n${note}`,
      replaced: value,
    });
    expect((await concat(null)).replaced).toEqual(value);
    const other = await concat('5-7');
    expect(other.replaced).toBeUndefined();
    expect(other.text).not.toContain('replaced');
  });

  it('is not marked when its lines do not fit into the result', async () => {
    const log = `# 2025-07-14\n\n## First\n${'word '.repeat(500)}\n\n## Long\n${`${'word '.repeat(100)}\n`.repeat(300)}\n## Last\n`;
    const replacing = ['First', 'Last'].map((each) => `replaces: ${project} § ${each}\n`).join('');
    const vault = await roomVault({ 'changelog.md': `# 2025-09-02\n\n## New\n${replacing}`, [project]: log });
    const concat = { files: [{ path: project }] };
    const shown = await vault.text('concat', concat);
    expect(shown.length).toBeLessThanOrEqual(20_000 * 4);
    expect(shown).toContain('§ First was replaced');
    expect(shown).not.toContain('§ Last was replaced');
    expect(await vault.text('concat', concat, 'person')).toContain('§ Last was replaced');
  });

  it('takes up space for its mark only if it is shown', async () => {
    const names = Array.from({ length: 900 }, (_, index) => `Price ${1_000 + index}`);
    const log = `# 2025-07-14\n\n${names.map((name) => `## ${name}\n`).join('')}`;
    const replacing = names.map((name) => `replaces: ${project} § ${name}\n`).join('');
    const vault = await roomVault({ 'changelog.md': `# 2025-09-02\n\n## New\n${replacing}`, [project]: log });
    const shown = await vault.text('concat', { files: [{ path: project }] });
    expect(shown.length).toBeLessThanOrEqual(20_000 * 4);
    expect(shown).not.toContain('error:');
    expect(shown).toMatch(/omitted .*: vault\/projects\/x\/changelog\.md:\d+-902\./);
    expect(shown.match(/ was replaced /g)?.length).toBe(shown.match(/ \| ## Price/g)?.length);
  });

  it('is reported as replaced when a quotation of it is verified', async () => {
    const vault = await roomVault(files);
    const document = await vault.text('concat', { files: [{ path: project, lines: '3-4' }] });
    expect(await verifyBlocks(document, vault.readRun('person'))).toEqual([
      { path: 'vault/projects/x/changelog.md', start: 3, end: 4, state: 'same', replaced: value },
    ]);
    writeFileSync(join(vault.folder, project), `\n${files[project]}`);
    expect(await verifyBlocks(document, vault.readRun('person'))).toMatchObject([
      { state: 'moved', now: { start: 4, end: 5 }, replaced: [{ lines: { start: 4, end: 5 } }] },
    ]);
  });
});
