import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import { childPath, resolveRoot, rootPath } from '../vault/index.ts';
import { mergeConflictCopy } from './merge-conflict-copy.ts';
import type { Writer } from './writer.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');
const name = 'plan.sync-conflict-20260714-183000-ABCDEFG.md';
const copy = {
  path: childPath(rootPath, name),
  original: childPath(rootPath, 'plan.md'),
  isCertain: true,
};
const base = text('one', 'two', 'three');

async function setUp(mine: string, theirs: string, before: (folder: string) => void = () => undefined) {
  const { folder, changes } = await roomVault({ 'plan.md': mine, [name]: theirs });
  const writer: Pick<Writer, 'write'> = {
    write(requested, metadata) {
      before(folder);
      return changes.writer.write(requested, metadata);
    },
  };
  const parts = {
    root: resolveRoot(folder),
    writer,
    fileVersions: async () => [{ text: base, isOwnWrite: true, at: 0 }],
    changesOf: () => [],
    language: 'en' as const,
    isHidden: () => false,
  };
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  return { settled: await mergeConflictCopy(parts, copy), read };
}

it('a merge of a conflict copy does not change a note that another machine merges at the same time', async () => {
  const [mine, theirs] = [text('one', 'two', 'three', 'mine'), text('one', 'two', 'three', 'theirs')];
  const merged = text('one', 'two', 'three', 'mine', 'theirs');
  const { settled, read } = await setUp(mine, theirs, (folder) =>
    writeFileSync(join(folder, 'plan.md'), `${merged}more\n`),
  );
  expect(settled).toEqual({ kind: 'busy' });
  expect([read('plan.md'), read(name)]).toEqual([`${merged}more\n`, theirs]);
});

it('an empty conflict copy is not merged, because it may still be filled', async () => {
  const { settled, read } = await setUp(base, '');
  expect(settled).toEqual({ kind: 'asked' });
  expect(read('plan.md')).toBe(base);
});

/** Writes these versions of a note one after the other, merges a copy into the last one and returns the result. */
async function settleInto(versions: readonly string[], theirs: string, isOld = false): Promise<string> {
  const { folder, changes } = await roomVault({ 'plan.md': versions[0] ?? '', [name]: theirs });
  const writtenAt = isOld ? new Date(2025, 6, 14) : new Date(Date.now() + 60_000);
  utimesSync(join(folder, name), writtenAt, writtenAt);
  for (const [index, after] of versions.slice(1).entries()) {
    const [before, incoming] = [Buffer.from(versions[index] ?? ''), Buffer.from(after)];
    const change = { kind: 'replace' as const, path: copy.original, before, after: incoming, mode: null };
    await changes.writer.write([change], { origin: 'test', summary: 'test' });
  }
  await changes.record();
  const { fileVersions, writer } = changes;
  const parts = {
    root: resolveRoot(folder),
    writer,
    fileVersions,
    changesOf: () => [],
    language: 'en' as const,
    isHidden: () => false,
  };
  expect(await mergeConflictCopy(parts, copy)).toMatchObject({ kind: 'merged' });
  return readFileSync(join(folder, 'plan.md'), 'utf8');
}

const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
const [upper, lower] = [lines.slice(0, 6), lines.slice(6)];

it('a merge keeps a line that is missing from a conflict copy older than the history', async () => {
  const versions = [text('ours', ...lines), text('ours', ...upper, 'more', ...lower)];
  const theirs = text(...lines, 'theirs');
  expect(await settleInto(versions, theirs, true)).toBe(text('ours', ...upper, 'more', ...lower, 'theirs'));
  expect(await settleInto(versions, theirs)).toBe(text(...upper, 'more', ...lower, 'theirs'));
});

it('a merge keeps a line that the conflict copy never had, even after many versions', async () => {
  const since = Array.from({ length: 110 }, (_, version) =>
    text('ours', ...upper, ...(version % 2 === 0 ? [] : ['blinks']), ...lower),
  );
  expect(await settleInto([text(...lines), ...since], text(...lines, 'theirs'))).toBe(
    text('ours', ...upper, 'blinks', ...lower, 'theirs'),
  );
});
