import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tools } from '../packages/vault/src/tools/index.ts';
import { parseVaultPath } from '../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { roomVault } from './room-vault.ts';
import type { RoomVault } from './room-vault.ts';
import type { Files } from './temporary-vault.ts';

const pathOf = (path: string): VaultPath => {
  const parsed = parseVaultPath(path);
  return parsed.ok ? parsed.path : expect.unreachable(path);
};

/** A vault whose files are all in history. */
async function knownVault(files: Files, clock?: () => number): Promise<RoomVault> {
  const vault = await roomVault(files, clock);
  await vault.changes.baseline.addToBaseline(Object.keys(files).map(pathOf));
  await vault.changes.baseline.markBaselineComplete();
  return vault;
}

const at = (vault: RoomVault, path: string): string => join(vault.folder, path);
const read = (vault: RoomVault, path: string): string => readFileSync(at(vault, path), 'utf8');
const record = (vault: RoomVault, ...paths: string[]) => vault.changes.recordExternalEdits(paths.map(pathOf));
const summaries = ({ changes }: RoomVault): string[] =>
  changes.list({ limit: 100 }).map(({ origin, summary }) => `${summary} (${origin})`);
const newest = ({ changes }: RoomVault): string => changes.list({ limit: 1 })[0]?.id ?? '';

async function edit(vault: RoomVault, path: string, old: string, changed: string): Promise<string> {
  const run = vault.writeRun('person');
  const call = (name: string, input: unknown) => tools.find((tool) => tool.name === name)?.call(input, run);
  await call('read', { paths: path });
  await call('edit', { path, old, new: changed });
  const written = await run.transaction.commit({ origin: 'test', summary: `edited vault/${path}` });
  return written.kind === 'written' ? written.id : expect.unreachable(JSON.stringify(written));
}

describe('an external edit', () => {
  it('is recorded as a change that has an id and a diff and can be undone and restored', async () => {
    const vault = await knownVault({ 'a.md': 'one\ntwo\n' });
    writeFileSync(at(vault, 'a.md'), 'one\ntwo\nthree\n');
    expect(await record(vault, 'a.md')).toEqual({ done: ['vault/a.md'], edited: ['vault/a.md'] });
    expect(summaries(vault)).toEqual(['edited vault/a.md (outside)']);
    const id = newest(vault);
    const [shown] = (await vault.changes.find(id)?.diffs()) ?? [];
    expect(shown?.diff).toMatch(/^\+three$/m);
    expect(vault.changes.find(id)).toMatchObject({ connection: null, callDigest: null, isUndone: false });
    expect((await vault.changes.undo(id)).kind).toBe('written');
    expect(read(vault, 'a.md')).toBe('one\ntwo\n');
    expect((await vault.changes.restore(id, pathOf('a.md'))).kind).toBe('written');
    expect(read(vault, 'a.md')).toBe('one\ntwo\nthree\n');
  });

  it('is attributed to a sync service, as a separate change, when the file arrived later than it was written', async () => {
    const vault = await knownVault({ 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n', 'd.md': 'd\n' });
    const writtenAt = new Date(Date.now() - 60_000);
    const bring = (path: string, text: string): void => {
      writeFileSync(at(vault, path), text);
      utimesSync(at(vault, path), writtenAt, writtenAt);
    };
    bring('a.md', 'A\n');
    bring('new.md', 'new\n');
    writeFileSync(at(vault, 'b.md'), 'B\n');
    rmSync(at(vault, 'c.md'));
    // A moved file keeps its modification time, too.
    rmSync(at(vault, 'd.md'));
    bring('moved.md', 'd\n');
    await record(vault, 'a.md', 'b.md', 'c.md', 'd.md', 'moved.md', 'new.md');
    expect(summaries(vault).toSorted()).toEqual([
      'edited 1 file, created 1 file (sync)',
      'edited 1 file, moved 1 file, deleted 1 file (outside)',
    ]);
    for (const { id } of vault.changes.list({ limit: 2 }))
      expect((await vault.changes.undo(id)).kind).toBe('written');
    expect(['a.md', 'b.md', 'c.md', 'd.md'].map((path) => read(vault, path))).toEqual([
      'a\n',
      'b\n',
      'c\n',
      'd\n',
    ]);
  });

  it('is grouped with others made at the same time, and the summary counts edited, created, moved and deleted files', async () => {
    const vault = await knownVault({ 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n', 'pic.png': 'bytes' });
    writeFileSync(at(vault, 'a.md'), 'A\n');
    mkdirSync(at(vault, 'deep'));
    renameSync(at(vault, 'b.md'), at(vault, 'deep/b.md'));
    rmSync(at(vault, 'c.md'));
    rmSync(at(vault, 'pic.png'));
    writeFileSync(at(vault, 'new.md'), 'new\n');
    await record(vault, 'a.md', 'b.md', 'deep/b.md', 'c.md', 'pic.png', 'new.md');
    expect(summaries(vault)).toEqual([
      'edited 1 file, created 1 file, moved 1 file, deleted 2 files (outside)',
    ]);
    expect((await vault.changes.undo(newest(vault))).kind).toBe('written');
    expect(['a.md', 'b.md', 'c.md', 'pic.png'].map((path) => read(vault, path))).toEqual([
      'a\n',
      'b\n',
      'c\n',
      'bytes',
    ]);
    expect(['new.md', 'deep/b.md'].map((path) => existsSync(at(vault, path)))).toEqual([false, false]);
  });

  it('that affects a single file is summarized with its path', async () => {
    const vault = await knownVault({ 'a.md': 'a\n' });
    renameSync(at(vault, 'a.md'), at(vault, 'b.md'));
    await record(vault, 'a.md', 'b.md');
    rmSync(at(vault, 'b.md'));
    await record(vault, 'b.md');
    writeFileSync(at(vault, 'c.md'), 'c\n');
    await record(vault, 'c.md');
    expect(summaries(vault)).toEqual([
      'created vault/c.md (outside)',
      'deleted vault/b.md (outside)',
      'moved vault/a.md to vault/b.md (outside)',
    ]);
  });

  it('that moves a file and changes a few lines of it is a move, with one diff and one undo', async () => {
    const text = '# Kitchen\n\nMeasure twice.\nSee [the plan](kitchen.md).\nOrder the oak worktop in June.\n';
    const vault = await knownVault({ 'kitchen.md': text, 'b.md': 'See kitchen.\n' });
    renameSync(at(vault, 'kitchen.md'), at(vault, 'kitchen-plan.md'));
    writeFileSync(at(vault, 'kitchen-plan.md'), text.replace('(kitchen.md)', '(kitchen-plan.md)'));
    writeFileSync(at(vault, 'b.md'), 'See kitchen-plan.\n');
    await record(vault, 'kitchen.md', 'kitchen-plan.md', 'b.md');
    expect(summaries(vault)).toEqual(['edited 1 file, moved 1 file (outside)']);
    const [change] = vault.changes.list({ limit: 1 });
    expect(change?.files).toContainEqual({
      path: 'vault/kitchen-plan.md',
      kind: 'created',
      from: 'vault/kitchen.md',
      added: 1,
      removed: 1,
    });
    const diffs = (await vault.changes.find(newest(vault))?.diffs()) ?? [];
    expect(diffs.map(({ path }) => path).toSorted()).toEqual(['vault/b.md', 'vault/kitchen-plan.md']);
    const moved = diffs.find(({ path }) => path === 'vault/kitchen-plan.md');
    expect(moved?.diff).toMatch(/^--- vault\/kitchen\.md\n\+\+\+ vault\/kitchen-plan\.md$/m);
    expect(moved?.diff.match(/^[+-](?![+-]).*$/gm)).toEqual([
      '-See [the plan](kitchen.md).',
      '+See [the plan](kitchen-plan.md).',
    ]);
    expect((await vault.changes.undo(newest(vault))).kind).toBe('written');
    expect(read(vault, 'kitchen.md')).toBe(text);
    expect(existsSync(at(vault, 'kitchen-plan.md'))).toBe(false);
  });

  it('that deletes one note and creates another is no move', async () => {
    const vault = await knownVault({ 'a.md': '# Monday\n\nThe roof leaks in two places.\n' });
    rmSync(at(vault, 'a.md'));
    writeFileSync(at(vault, 'b.md'), '# Monday\n\nA different note about the garden.\n');
    await record(vault, 'a.md', 'b.md');
    expect(summaries(vault)).toEqual(['created 1 file, deleted 1 file (outside)']);
  });

  it('that deletes a file is recorded later, with the file at its new path if a sync service delivers that', async () => {
    const vault = await knownVault({ 'a.md': 'a\n', 'b.md': 'b\n' });
    const awaited = new Set([pathOf('a.md')]);
    rmSync(at(vault, 'a.md'));
    writeFileSync(at(vault, 'b.md'), 'B\n');
    const paths = ['a.md', 'b.md', 'c.md'].map(pathOf);
    expect((await vault.changes.recordExternalEdits(paths, awaited)).edited).toEqual(['vault/b.md']);
    writeFileSync(at(vault, 'c.md'), 'a\n');
    await vault.changes.recordExternalEdits(paths, awaited);
    expect(summaries(vault)).toEqual([
      'moved vault/a.md to vault/c.md (outside)',
      'edited vault/b.md (outside)',
    ]);
  });

  it('can be undone without losing later edits, and reports a conflict when the same lines were edited since', async () => {
    const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
    const vault = await knownVault({ 'a.md': text });
    writeFileSync(at(vault, 'a.md'), text.replace('two', 'TWO'));
    await record(vault, 'a.md');
    const first = newest(vault);
    writeFileSync(at(vault, 'a.md'), text.replace('two', 'TWO').replace('six', 'SIX'));
    await record(vault, 'a.md');
    expect((await vault.changes.undo(first)).kind).toBe('written');
    expect(read(vault, 'a.md')).toContain('two\nthree\nfour\nfive\nSIX\nseven\n');
    writeFileSync(at(vault, 'a.md'), read(vault, 'a.md').replace('SIX', 'sixty'));
    const refused = await vault.changes.undo(vault.changes.list({ limit: 2 })[1]?.id ?? '');
    expect(refused).toMatchObject({ kind: 'conflict', files: [{ path: 'vault/a.md' }] });
    expect(read(vault, 'a.md')).toContain('sixty');
  });

  it('is recorded before the change that detected it, together with edits that no change detected', async () => {
    const vault = await knownVault({ 'a.md': 'one\ntwo\n', 'b.md': 'b\n', 'c.md': 'c\n' });
    writeFileSync(at(vault, 'a.md'), 'one\ntwo\noutside\n');
    writeFileSync(at(vault, 'b.md'), 'outside\n');
    const own = await edit(vault, 'a.md', 'two', 'TWO');
    await record(vault, 'b.md');
    expect(vault.changes.list({ limit: 9 }).map(({ origin }) => origin)).toEqual(['test', 'outside']);
    const [, outside] = vault.changes.list({ limit: 9 });
    expect(outside).toMatchObject({ summary: 'edited 2 files', paths: ['vault/b.md', 'vault/a.md'] });
    expect((await vault.changes.undo(outside?.id ?? '')).kind).toBe('written');
    expect(read(vault, 'a.md')).toContain('one\nTWO\n');
    expect(read(vault, 'a.md')).not.toContain('outside');
    expect(read(vault, 'b.md')).toBe('b\n');
    expect((await vault.changes.undo(own)).kind).toBe('written');
    expect(read(vault, 'a.md')).toContain('one\ntwo\n');
  });

  it('between two changes to one file is recorded between them', async () => {
    const vault = await knownVault({ 'a.md': 'one\ntwo\nthree\n' });
    await edit(vault, 'a.md', 'one', 'ONE');
    writeFileSync(at(vault, 'a.md'), `${read(vault, 'a.md')}outside\n`);
    await edit(vault, 'a.md', 'two', 'TWO');
    await vault.changes.record();
    expect(vault.changes.list({ limit: 9 }).map(({ origin }) => origin)).toEqual(['test', 'outside', 'test']);
    const [, outside] = vault.changes.list({ limit: 9 });
    const [shown] = (await vault.changes.find(outside?.id ?? '')?.diffs()) ?? [];
    expect(shown?.diff.match(/^[+-](?![+-]).*$/gm)).toEqual(['+outside']);
    expect(outside?.files).toMatchObject([{ added: 1, removed: 0 }]);
  });

  it('of a file that is not in history yet is not recorded until the baseline is complete', async () => {
    const vault = await roomVault({ 'a.md': 'a\n', 'b.md': 'b\n' });
    await edit(vault, 'a.md', 'a', 'A');
    await record(vault, 'b.md');
    expect(summaries(vault)).toEqual(['edited vault/a.md (test)']);
    rmSync(at(vault, 'b.md'));
    await record(vault, 'b.md');
    expect((await vault.changes.undo(newest(vault))).kind).toBe('written');
    expect(read(vault, 'b.md')).toBe('b\n');
  });

  it('does not count as written by the user', async () => {
    const vault = await knownVault({ 'a.md': 'a\n' });
    writeFileSync(at(vault, 'a.md'), 'written outside\n');
    await record(vault, 'a.md');
    expect(await vault.changes.isUserAuthored(pathOf('a.md'), Buffer.from('written outside\n'))).toBe(false);
    await vault.changes.undo(newest(vault));
    expect(await vault.changes.isUserAuthored(pathOf('a.md'), Buffer.from('a\n'))).toBe(false);
  });

  it('that empties a file is recorded after ten minutes, because a sync service may still fill it', async () => {
    let now = Date.now();
    const vault = await knownVault({ 'a.md': 'a\n' }, () => now);
    truncateSync(at(vault, 'a.md'));
    expect(await record(vault, 'a.md')).toEqual({ done: [], edited: [] });
    utimesSync(at(vault, 'a.md'), 0, 0);
    expect(await record(vault, 'a.md')).toEqual({ done: [], edited: [] });
    now += 11 * 60_000;
    expect((await record(vault, 'a.md')).edited).toEqual(['vault/a.md']);
    await vault.changes.undo(newest(vault));
    expect(read(vault, 'a.md')).toBe('a\n');
  });

  it('that makes a file too large for history is not recorded', async () => {
    const vault = await knownVault({ 'a.md': 'a\n' });
    truncateSync(at(vault, 'a.md'), 20_000_001);
    expect(await record(vault, 'a.md')).toEqual({ done: ['vault/a.md'], edited: [] });
    writeFileSync(at(vault, 'a.md'), 'small again\n');
    await record(vault, 'a.md');
    await vault.changes.undo(newest(vault));
    expect(read(vault, 'a.md')).toBe('a\n');
  });

  it('that replaces a file with a folder and a folder with a file is recorded', async () => {
    const vault = await knownVault({ 'a.md': 'a\n', 'b.md/c.md': 'c\n' });
    rmSync(at(vault, 'a.md'));
    mkdirSync(at(vault, 'a.md'));
    writeFileSync(at(vault, 'a.md/inside.md'), 'inside\n');
    rmSync(at(vault, 'b.md'), { recursive: true });
    writeFileSync(at(vault, 'b.md'), 'b\n');
    await record(vault, 'a.md', 'a.md/inside.md', 'b.md', 'b.md/c.md');
    const found = await vault.changes.find(newest(vault))?.changes();
    expect(found?.map(({ kind, path }) => `${kind} ${path}`).toSorted()).toEqual([
      'create vault/a.md/inside.md',
      'create vault/b.md',
      'remove vault/a.md',
      'remove vault/b.md/c.md',
    ]);
  });

  it('is stored before it is committed to git, so that it can be shown and undone after a git failure', async () => {
    const vault = await knownVault({ 'a.md': 'a\n' });
    writeFileSync(at(vault, 'a.md'), 'A\n');
    mkdirSync(join(vault.state, 'history.git/refs/heads/main.lock'));
    await expect(record(vault, 'a.md')).rejects.toThrow(/is a directory/);
    const id = newest(vault);
    const [shown] = (await vault.changes.find(id)?.diffs()) ?? [];
    expect(shown?.diff).toMatch(/^-a\n\+A$/m);
    rmSync(join(vault.state, 'history.git/refs/heads/main.lock'), { recursive: true });
    await record(vault, 'a.md');
    expect(summaries(vault)).toEqual(['edited vault/a.md (outside)']);
    await vault.changes.undo(id);
    expect(read(vault, 'a.md')).toBe('a\n');
  });

  it('can be undone even if history was damaged and recreated meanwhile', async () => {
    const vault = await knownVault({ 'a.md': 'a\n', 'b.md': 'b\n' });
    writeFileSync(at(vault, 'a.md'), 'A\n');
    await record(vault, 'a.md');
    const id = newest(vault);
    truncateSync(join(vault.state, 'history.git/refs/heads/main'));
    writeFileSync(at(vault, 'b.md'), 'B\n');
    await record(vault, 'b.md');
    expect((await vault.changes.undo(id)).kind).toBe('written');
    expect(read(vault, 'a.md')).toBe('a\n');
    expect(await vault.changes.baseline.findMissing([pathOf('a.md'), pathOf('c.md')])).toEqual([
      'vault/a.md',
      'vault/c.md',
    ]);
  });
});

describe('many files deleted at once', () => {
  const many = (count: number): Files =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`notes/${index}.md`, `note ${index}\n`]));

  it('are reported until one undo restores them', async () => {
    const files = many(30);
    const vault = await knownVault(files);
    const gone = Object.keys(files).slice(0, 12);
    for (const path of gone) rmSync(at(vault, path));
    await record(vault, ...Object.keys(files));
    const loss = vault.changes.recentMassDeletion();
    expect(loss).toMatchObject({ id: newest(vault), files: 12 });
    expect((await vault.changes.undo(loss?.id ?? '')).kind).toBe('written');
    expect(gone.map((path) => read(vault, path))).toEqual(gone.map((path) => files[path]));
    expect(vault.changes.recentMassDeletion()).toBeNull();
  });

  it('are restored with one undo, including those changed by Keepsake shortly before', async () => {
    const files = many(12);
    const vault = await knownVault(files);
    await edit(vault, 'notes/3.md', 'note 3', 'note three');
    const texts = Object.keys(files).map((path) => read(vault, path));
    rmSync(at(vault, 'notes'), { recursive: true });
    await record(vault, ...Object.keys(files));
    expect((await vault.changes.undo(vault.changes.recentMassDeletion()?.id ?? '')).kind).toBe('written');
    expect(Object.keys(files).map((path) => read(vault, path))).toEqual(texts);
  });

  it('are not reported if they were only moved, or if they are few', async () => {
    const files = many(30);
    const vault = await knownVault({ ...files });
    renameSync(at(vault, 'notes'), at(vault, 'moved'));
    const moved = Object.keys(files).map((path) => path.replace('notes', 'moved'));
    await record(vault, ...Object.keys(files), ...moved);
    expect(summaries(vault)).toEqual(['moved 30 files (outside)']);
    for (const path of moved.slice(0, 9)) rmSync(at(vault, path));
    await record(vault, ...moved);
    expect(vault.changes.recentMassDeletion()).toBeNull();
  });
});

it('history contains existing files without listing a change', async () => {
  const vault = await knownVault({ 'a.md': 'a\n', 'b.png': 'b' });
  expect(vault.changes.count()).toBe(0);
  expect(await vault.changes.baseline.findMissing([pathOf('a.md')])).toBeNull();
  const log = execFileSync('git', ['log', '--format=%s', '--name-status'], {
    env: { PATH: process.env['PATH'] ?? '', GIT_DIR: join(vault.state, 'history.git') },
    encoding: 'utf8',
  });
  expect(log).toBe('As it was found\n\nA\ta.md\nA\tb.png\n');
});
