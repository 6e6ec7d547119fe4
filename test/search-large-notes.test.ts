import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { temporaryVault } from './temporary-vault.ts';

const path = 'vault/bucket/book.md' as VaultPath;

/** A note of about 1.5 MB whose paragraphs contain `word`. */
const ledger = (word: string): string =>
  Array.from({ length: 26_000 }, (_, line) => `line ${line} of the ${word}, amount ${line * 7} EUR\n`).join(
    '',
  );

async function searchIn(keepsake: Keepsake, query: string): Promise<{ paths: string[]; pending: number }> {
  const outcome = await keepsake.writeRun('model').search({ queries: [query], mode: 'fast' });
  if (outcome.kind !== 'found') throw new Error(outcome.reason);
  return { paths: [...new Set(outcome.ranked.map((each) => each.path))], pending: outcome.pendingFiles };
}

async function setUp() {
  const vault = await temporaryVault({ 'bucket/zebra.md': '# Zebra\nstripes in the ledger\n' });
  const { keepsake, folder, state } = vault;
  const search = (query: string) => searchIn(keepsake, query);
  await search('zebra');
  const change = async (content: string | null): Promise<void> => {
    const file = join(folder, 'bucket/book.md');
    if (content === null) rmSync(file);
    else writeFileSync(file, content);
    await keepsake.catalogue.refreshPath(path);
    await keepsake.search.filesChanged([path]);
  };
  return { keepsake, folder, state, search, change };
}

const withIndex = <Value>(
  { search }: Keepsake,
  look: Parameters<typeof search.withIndex<Value>>[0],
): Promise<Value> => search.withIndex(look);
const unfinished = (keepsake: Keepsake): Promise<number> =>
  withIndex(keepsake, async ({ indexer }) => indexer.unfinished().size);

/** Waits until all files are indexed, and returns how often other work could run meanwhile. */
async function countTurns(keepsake: Keepsake): Promise<number> {
  let turns = 0;
  for (; (await unfinished(keepsake)) > 0; turns += 1) await setImmediate();
  return turns;
}

describe('a large note', () => {
  it('is indexed in slices, between which other work runs and other notes are found', async () => {
    const { keepsake, search, change } = await setUp();
    await change(ledger('ledger'));
    expect(await unfinished(keepsake)).toBe(1);
    expect(await search('ledger')).toEqual({ paths: ['vault/bucket/zebra.md'], pending: 1 });
    const isPartial = async (): Promise<boolean> =>
      withIndex(keepsake, async ({ index }) => index.incompleteFiles().has(path));
    while (!(await isPartial())) await setTimeout(1);
    expect(await search('ledger')).toEqual({ paths: ['vault/bucket/zebra.md'], pending: 1 });
    expect(await countTurns(keepsake)).toBeGreaterThan(30);
    const after = await search('ledger');
    expect(after.paths).toContain(path);
    expect(after.pending).toBe(0);
  });

  it('is indexed with its latest content when it changes while it is being indexed', async () => {
    const { keepsake, search, change } = await setUp();
    await change(ledger('ledger'));
    await setTimeout(20);
    await change(ledger('journal'));
    await setTimeout(20);
    await change(ledger('calendar'));
    await countTurns(keepsake);
    expect((await search('calendar')).paths).toEqual([path]);
    expect((await search('journal')).paths).toEqual([]);
    expect((await search('ledger')).paths).toEqual(['vault/bucket/zebra.md']);
  });

  it.each([
    ['shrinks', 'a short ledger\n', [path, 'vault/bucket/zebra.md']],
    ['is deleted', null, ['vault/bucket/zebra.md']],
  ])('that %s while it is being indexed leaves no passages behind', async (_, content, expected) => {
    const { keepsake, search, change } = await setUp();
    await change(ledger('ledger'));
    await setTimeout(50);
    await change(content);
    await countTurns(keepsake);
    expect((await search('ledger')).paths.toSorted()).toEqual(expected);
    const sections = await withIndex(keepsake, async ({ index }) => index.counts().sections);
    expect(sections).toBe(expected.length);
  });

  it('that was half indexed when the vault was closed is indexed when it is opened again', async () => {
    const { keepsake, folder, state, change } = await setUp();
    await change(ledger('ledger'));
    await withIndex(keepsake, async ({ index }) => {
      while (!index.incompleteFiles().has(path)) await setTimeout(1);
      expect(index.counts().sections).toBeLessThan(300);
    });
    await keepsake.close();
    const reopened = await openKeepsake({ vault: folder, state, environment: readEnvironment() });
    onTestFinished(async () => void (await reopened.close()));
    expect((await searchIn(reopened, 'ledger')).paths).toContain(path);
    await withIndex(reopened, async ({ index }) => {
      expect(index.incompleteFiles().size).toBe(0);
      expect(index.counts().sections).toBeGreaterThan(300);
    });
  });
});
