import { closeSync, openSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesDatabase, openWriter } from '../../../../test/changes-database.ts';
import { fakeWindows } from '../../../../test/fake-windows.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { resolveRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { applyChange } from './apply-file-change.ts';
import { isProcessDead, processMarker } from './process-liveness.ts';
import { exchangeFiles, isBeingWritten, renameNoReplace } from './atomic-files.ts';

const windows = fakeWindows();

function twoFiles(): { a: string; b: string; folder: string } {
  const folder = temporaryFolder();
  layOut(folder, { a: 'new', b: 'old' });
  return { folder, a: join(folder, 'a'), b: join(folder, 'b') };
}

const content = (folder: string): string[] =>
  readdirSync(folder).map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8')}`);

describe('exchanging files on Windows', () => {
  it('replaces the file in one call and keeps the previous one', () => {
    const { a, b, folder } = twoFiles();
    expect(exchangeFiles(a, b)).toBe(true);
    expect(content(folder)).toEqual(['a: old', 'b: new']);
    expect(windows.calls).toEqual(['ReplaceFileW', 'MoveFileExW']);
  });

  it('tries again while a scanner has the file open, then fails without a change', () => {
    const { a, b, folder } = twoFiles();
    windows.errors['ReplaceFileW'] = [32, 1175];
    expect(exchangeFiles(a, b)).toBe(true);
    windows.errors['ReplaceFileW'] = [32, 32, 32, 32, 32];
    expect(() => exchangeFiles(a, b)).toThrow('EBUSY');
    expect(content(folder)).toEqual(['a: old', 'b: new']);
  });

  it('restores the name of the previous file if the replacement could not be moved', () => {
    const { folder, a, b } = twoFiles();
    layOut(folder, { 'a.old': 'old' });
    closeSync(openSync(b, 'r'));
    windows.errors['ReplaceFileW'] = [1177];
    expect(() => exchangeFiles(a, b)).toThrow('EBUSY');
    expect(windows.calls).toEqual(['ReplaceFileW', 'MoveFileExW']);
    expect(content(folder)).toEqual(['a: new', 'a.old: old', 'b: old']);
  });

  it('moves a file without replacing one', () => {
    const { a, b, folder } = twoFiles();
    expect(renameNoReplace(a, b)).toBe(false);
    expect(renameNoReplace(a, join(folder, 'c'))).toBe(true);
    expect(content(folder)).toEqual(['b: old', 'c: new']);
  });
});

describe('a change on Windows', () => {
  it('is applied although no folder can be flushed', () => {
    const folder = temporaryFolder();
    layOut(folder, { 'note.md': 'one\n' });
    windows.errors['CreateFileW'] = Array.from({ length: 20 }, () => 5);
    const [before, after] = [Buffer.from('one\n'), Buffer.from('two\n')];
    const path = 'vault/note.md' as VaultPath;
    const change = { kind: 'replace' as const, path, before, after, mode: null };
    expect(applyChange(resolveRoot(folder), change, '.keepsake-x.tmp', () => undefined)).toEqual({
      kind: 'applied',
    });
    expect(content(folder)).toEqual(['note.md: two\n']);
  });

  it('that needs a folder whose path the drive does not report leaves nothing behind', async () => {
    const folder = realpathSync(temporaryFolder());
    layOut(folder, { 'note.md': 'one\n' });
    const { journal, writer } = openWriter(resolveRoot(folder), changesDatabase());
    const create = (path: string) => ({
      kind: 'create' as const,
      path: path as VaultPath,
      after: Buffer.from('new\n'),
      mode: null,
    });
    const metadata = { origin: 'test', summary: 'test' };
    windows.finalPaths.set(join(folder, 'long/deep'), null);
    const failing = [create('vault/first.md'), create('vault/long/deep/note.md')];
    await expect(writer.write(failing, metadata)).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/does not report where it is.*nothing was changed/),
    });
    expect(journal.listIncomplete()).toEqual([]);
    expect(content(folder)).toEqual(['note.md: one\n']);
    expect((await writer.write([create('vault/second.md')], metadata)).kind).toBe('written');
    expect(content(folder)).toEqual(['note.md: one\n', 'second.md: new\n']);
  });
});

describe('a file that another program writes on Windows', () => {
  it('is detected, because it cannot be opened without sharing writes', () => {
    const { folder, b } = twoFiles();
    const fd = openSync(b, 'r');
    const root = resolveRoot(folder);
    const path = 'vault/b' as VaultPath;
    expect(isBeingWritten(fd, root, path)).toBe(false);
    windows.errors['CreateFileW'] = [32];
    expect(isBeingWritten(fd, root, path)).toBe(true);
    windows.errors['CreateFileW'] = [5];
    expect(isBeingWritten(fd, root, path)).toBeNull();
    closeSync(fd);
  });
});

describe('the owner of a lock on Windows', () => {
  it('is dead when its pid belongs to another process', () => {
    windows.processes.set(process.pid, { times: [100n, 0n, 0n, 0n], memoryBytes: 0n });
    const host = processMarker(process.pid);
    expect(host).toMatch(/#100$/);
    expect(isProcessDead({ pid: process.pid, host })).toBe(false);
    windows.processes.set(process.pid, { times: [200n, 0n, 0n, 0n], memoryBytes: 0n });
    expect(isProcessDead({ pid: process.pid, host })).toBe(true);
  });
});
