import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { roomVault } from '../../../../test/room-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import { createReplacementFinder } from './index.ts';
import type { VaultPath } from './index.ts';

const log = 'vault/changelog.md' as VaultPath;

/** Formats the replaced entries of a changelog as `line heading > day path:line heading`. */
async function replacedIn(
  files: Files,
  path = log,
  lines = { start: 1, end: 999 },
  today = '2026-11-18',
): Promise<string[]> {
  const { view } = await roomVault(files);
  const found = await createReplacementFinder(view, today)(path, lines);
  return found.map(
    ({ lines: { start }, heading, isInForce, by }) =>
      `${start} ${heading} ${isInForce ? 'until' : '>'} ${by.day ?? '-'} ${by.path.slice('vault/'.length)}:${by.line} ${by.heading}`,
  );
}

describe('replaced entries', () => {
  it('are found across files, with position and day of the replacing entry', async () => {
    const files = {
      'changelog.md': '# 2025-07-14\n\n## Price 80\nAgreed.\n\n## Other\n',
      'projects/x/changelog.md': '# 2025-09-02\n\n## Price 90\nreplaces: changelog.md § Price 80\n',
    };
    expect(await replacedIn(files)).toEqual(['3 Price 80 > 2025-09-02 projects/x/changelog.md:3 Price 90']);
    expect(await replacedIn(files, log, { start: 4, end: 4 })).toHaveLength(1);
    expect(await replacedIn(files, log, { start: 5, end: 9 })).toEqual([]);
    expect(await replacedIn(files, 'vault/projects/x/changelog.md' as VaultPath)).toEqual([]);
  });

  it('resolve to the newest of several replacing entries, or of a chain of them', async () => {
    const chain = {
      'changelog.md': [
        '# 2025-09-03\n\n## C\nreplaces: vault/changelog.md § B\n',
        '# 2025-09-02\n\n## B\nreplaces: vault/changelog.md § A\n',
        '# 2025-09-01\n\n## A\n',
      ].join('\n'),
    };
    expect(await replacedIn(chain)).toEqual([
      '8 B > 2025-09-03 changelog.md:3 C',
      '13 A > 2025-09-03 changelog.md:3 C',
    ]);
    const two = {
      'changelog.md': [
        '# 2025-09-02\n\n## B\nreplaces: changelog.md § A\n',
        '# 2025-09-03\n\n## C\nreplaces: changelog.md § A\n',
        '# 2025-09-01\n\n## A\n',
      ].join('\n'),
    };
    expect(await replacedIn(two)).toEqual(['13 A > 2025-09-03 changelog.md:8 C']);
  });

  it('do not cause an endless loop if they replace each other', async () => {
    const files = {
      'changelog.md': [
        '# 2025-09-01\n',
        '## A\nreplaces: changelog.md § B\n',
        '## B\nreplaces: changelog.md § C\n',
        '## C\nreplaces: changelog.md § B\nreplaces: changelog.md § C\n',
      ].join('\n'),
    };
    expect(await replacedIn(files)).toEqual([
      '6 B > 2025-09-01 changelog.md:3 A',
      '9 C > 2025-09-01 changelog.md:3 A',
    ]);
  });

  it('are the latest earlier entries with the given heading, unless a day is given', async () => {
    const days = (line: string) => ({
      'changelog.md': [
        '# 2025-09-04\n\n## Price\n',
        `# 2025-09-03\n\n## Price\n${line}\n`,
        '# 2025-09-02\n\n## Price\n',
        '# 2025-09-01\n\n## Price\n',
      ].join('\n'),
    });
    expect(await replacedIn(days('replaces: changelog.md § Price'))).toEqual([
      '12 Price > 2025-09-03 changelog.md:7 Price',
    ]);
    expect(await replacedIn(days('replaces: changelog.md § 2025-09-01 / Price'))).toEqual([
      '16 Price > 2025-09-03 changelog.md:7 Price',
    ]);
    // A later entry cannot be replaced.
    expect(await replacedIn(days('replaces: changelog.md § 2025-09-04 / Price'))).toEqual([]);
  });

  it('are found by headings in any Unicode form, only in changelogs outside buckets and the inbox', async () => {
    const accented = 'Décision'.normalize('NFD');
    const files = {
      'changelog.md': `# 2025-07-14\n\n## ${accented}\n`,
      'a/changelog.md': `# 2025-07-15\n\n## New\nreplaces: changelog.md § ${accented.normalize('NFC')}\n`,
      'bucket/changelog.md': '# 2025-07-16\n\n## Raw\nreplaces: changelog.md § Décision\n',
      'inbox/2025-07-16-x/changelog.md': '# 2025-07-16\n\n## Raw\nreplaces: changelog.md § Décision\n',
      'notes.md': '# 2025-07-14\n\n## Note\n',
      'b.md': '# 2025-07-15\n\n## New\nreplaces: changelog.md § Other\nreplaces: notes.md § Note\n',
    };
    expect(await replacedIn(files)).toEqual([`3 ${accented} > 2025-07-15 a/changelog.md:3 New`]);
    expect(await replacedIn(files, 'vault/notes.md' as VaultPath)).toEqual([]);
  });
});

describe('the day of a replacement', () => {
  const replaced = (today: string, ...entries: string[]) =>
    replacedIn({ 'changelog.md': `${entries.join('\n')}\n# 2025-09-01\n\n## A\n` }, log, undefined, today);
  const entry = (day: string, heading: string, ...lines: string[]): string =>
    `# ${day}\n\n## ${heading}\n${lines.map((line) => `${line}\n`).join('')}`;

  it('is the day of the event if the replacing entry states it', async () => {
    const vote = entry('2026-11-17', 'B', 'when: 2026-09-24', 'replaces: changelog.md § A');
    expect(await replaced('2026-11-18', vote)).toEqual(['9 A > 2026-09-24 changelog.md:3 B']);
  });

  it('is the day on which it takes effect; until then the entry is in force', async () => {
    const vote = entry(
      '2026-11-17',
      'B',
      'when: 2026-09-24',
      'from: 2027-01-01',
      'replaces: changelog.md § A',
    );
    expect(await replaced('2026-12-31', vote)).toEqual(['10 A until 2027-01-01 changelog.md:3 B']);
    expect(await replaced('2027-01-01', vote)).toEqual(['10 A > 2027-01-01 changelog.md:3 B']);
  });

  it('is that of the last entry in force in a chain', async () => {
    const chain = [
      entry('2026-11-17', 'C', 'replaces: changelog.md § B', 'from: 2027-01-01'),
      entry('2026-11-16', 'B', 'replaces: changelog.md § A'),
    ];
    expect(await replaced('2026-11-18', ...chain)).toEqual([
      '9 B until 2027-01-01 changelog.md:3 C',
      '14 A > 2026-11-16 changelog.md:9 B',
    ]);
    expect((await replaced('2027-02-01', ...chain)).at(-1)).toBe('14 A > 2027-01-01 changelog.md:3 C');
  });

  it('is that of the later event of two replacements, and of one in force before one to come', async () => {
    const spring = entry('2026-11-17', 'Letter', 'when: 2026-03-01', 'replaces: changelog.md § A');
    const autumn = entry('2026-11-10', 'Vote', 'when: 2026-09-24', 'replaces: changelog.md § A');
    const next = entry('2026-11-09', 'Plan', 'from: 2027-01-01', 'replaces: changelog.md § A');
    expect(await replaced('2026-11-18', spring, autumn, next)).toEqual([
      '21 A > 2026-09-24 changelog.md:9 Vote',
    ]);
    const later = entry('2026-11-08', 'Second plan', 'from: 2027-06-01', 'replaces: changelog.md § A');
    expect(await replaced('2026-11-18', later, next)).toEqual(['15 A until 2027-01-01 changelog.md:9 Plan']);
  });

  it('may be before the day of the replaced entry, which was filed earlier', async () => {
    const files = (line: string) => ({
      'changelog.md': `${entry('2026-11-17', 'B', 'when: 2025-01-01', `replaces: changelog.md § ${line}`)}\n# 2025-09-01\n\n## A\nwhen: 2025-08-01\n`,
    });
    for (const line of ['A', '2025-09-01 / A', '2025-08-01 / A'])
      expect(await replacedIn(files(line))).toEqual(['9 A > 2025-01-01 changelog.md:3 B']);
    expect(await replacedIn(files('2025-08-02 / A'))).toEqual([]);
  });
});

it('createReplacementFinder follows a chain of replacements in linear time', async () => {
  const follow = async (length: number) => {
    const entries = Array.from(
      { length },
      (_, index) => `\n## Entry ${index}\nreplaces: vault/changelog.md § Entry ${index + 1}\n`,
    );
    const { view } = await roomVault({ 'changelog.md': `# 2025-07-14\n${entries.join('')}` });
    return () => createReplacementFinder(view, '2026-11-18')(log, { start: 1, end: Infinity });
  };
  expect(await costRatio(await follow(4_000), await follow(1_000))).toBeLessThan(10);
});
