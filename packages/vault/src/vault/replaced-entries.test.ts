import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { roomVault } from '../../../../test/room-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import { createReplacementFinder } from './index.ts';
import type { VaultPath } from './index.ts';

const log = 'vault/changelog.md' as VaultPath;

/** Formats the replaced entries of a changelog as `line heading > day path:line heading`. */
async function replacedIn(files: Files, path = log, lines = { start: 1, end: 999 }): Promise<string[]> {
  const { view } = await roomVault(files);
  const found = await createReplacementFinder(view)(path, lines);
  return found.map(
    ({ lines: { start }, heading, by }) =>
      `${start} ${heading} > ${by.day ?? '-'} ${by.path.slice('vault/'.length)}:${by.line} ${by.heading}`,
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

it('createReplacementFinder follows a chain of replacements in linear time', async () => {
  const follow = async (length: number) => {
    const entries = Array.from(
      { length },
      (_, index) => `\n## Entry ${index}\nreplaces: vault/changelog.md § Entry ${index + 1}\n`,
    );
    const { view } = await roomVault({ 'changelog.md': `# 2025-07-14\n${entries.join('')}` });
    return () => createReplacementFinder(view)(log, { start: 1, end: Infinity });
  };
  expect(await costRatio(await follow(4_000), await follow(1_000))).toBeLessThan(10);
});
