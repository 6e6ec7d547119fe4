import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { roomVault } from '../../test/room-vault.ts';
import { childPath, openRoot, rootPath } from '../vault/index.ts';
import { settleCopy } from './settle-copy.ts';
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
    write(wanted, why) {
      before(folder);
      return changes.writer.write(wanted, why);
    },
  };
  const parts = {
    root: openRoot(folder),
    writer,
    versionsOf: async () => [{ text: base, isOurs: true }],
    changesOf: () => [],
    language: 'en' as const,
  };
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  return { settled: await settleCopy(parts, copy), read };
}

it('a note that another machine merges at the same moment is left to be looked at anew', async () => {
  const [mine, theirs] = [text('one', 'two', 'three', 'mine'), text('one', 'two', 'three', 'theirs')];
  const merged = text('one', 'two', 'three', 'mine', 'theirs');
  const { settled, read } = await setUp(mine, theirs, (folder) =>
    writeFileSync(join(folder, 'plan.md'), `${merged}more\n`),
  );
  expect(settled).toEqual({ kind: 'disturbed' });
  expect([read('plan.md'), read(name)]).toEqual([`${merged}more\n`, theirs]);
});

it('an empty copy is not merged: it may still be filled', async () => {
  const { settled, read } = await setUp(base, '');
  expect(settled).toEqual({ kind: 'asked' });
  expect(read('plan.md')).toBe(base);
});

it('a line is not lost to a copy that never had it, however many versions came since', async () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  const first = text(...lines);
  const { folder, changes } = await roomVault({ 'plan.md': first, [name]: text(...lines, 'theirs') });
  let now = first;
  const write = async (after: string): Promise<void> => {
    const [before, wanted] = [Buffer.from(now), Buffer.from(after)];
    const change = { kind: 'replace' as const, path: copy.original, before, after: wanted, mode: null };
    await changes.writer.write([change], { origin: 'test', summary: 'test' });
    now = after;
  };
  const [upper, lower] = [lines.slice(0, 6), lines.slice(6)];
  for (let version = 0; version < 110; version += 1)
    await write(text('ours', ...upper, ...(version % 2 === 0 ? [] : ['blinks']), ...lower));
  await changes.record();
  const { versionsOf, writer } = changes;
  const parts = { root: openRoot(folder), writer, versionsOf, changesOf: () => [], language: 'en' as const };
  expect(await settleCopy(parts, copy)).toMatchObject({ kind: 'merged' });
  expect(readFileSync(join(folder, 'plan.md'), 'utf8')).toBe(
    text('ours', ...upper, 'blinks', ...lower, 'theirs'),
  );
});
