import { closeSync, mkdirSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeWindows } from '../../../../test/fake-windows.ts';
import { interceptCalls } from '../../../../test/intercepted-calls.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { fsyncFolder, resolveRoot } from './index.ts';
import { openPath, openRootFolder } from './open-path.ts';
import { parseVaultPath } from './path.ts';

const calls = interceptCalls();
const windows = fakeWindows();

function open(folder: string, text: string): string {
  const parsed = parseVaultPath(text);
  if (!parsed.ok) return parsed.reason;
  const found = openPath(resolveRoot(folder), parsed.path);
  if (found.kind === 'file' || found.kind === 'folder') closeSync(found.fd);
  return found.kind === 'refused' ? found.reason : found.kind;
}

describe('opening a path on Windows', () => {
  it.each([
    'a.md::$DATA',
    'a.md:stream',
    'a.md.',
    'a.md\\u{20}',
    'NUL',
    'con.md',
    'COM¹.md',
    'CONIN$',
    'lpt² .md',
  ])('refuses %s, which is a device, a stream or another name of a file', (name) => {
    const folder = temporaryFolder();
    layOut(folder, { 'a.md': 'one\n' });
    expect(open(folder, name)).toBe('Windows reserves this name; use another one');
  });

  it('refuses a file that was opened through a link or a short name', () => {
    const folder = realpathSync(temporaryFolder());
    layOut(folder, { 'PRIVAT~1/a.md': 'one\n', 'b.md': 'two\n' });
    windows.finalPaths.set(join(folder, 'PRIVAT~1'), join(folder, 'private notes'));
    expect(open(folder, 'PRIVAT~1/a.md')).toBe(
      'it is a link, or this is not its full name; use its name on disk',
    );
    expect(open(folder, 'b.md')).toBe('file');
  });

  it('refuses a file whose folder was replaced by a link in the meantime', () => {
    const folder = realpathSync(temporaryFolder());
    layOut(folder, { 'vault/sub/a.md': 'inside\n', 'outside/a.md': 'outside\n' });
    const sub = join(folder, 'vault/sub');
    let isSwapped = false;
    calls.intercept = (name, [path]) => {
      if (name === 'openSync' && path === join(sub, 'a.md') && !isSwapped) {
        isSwapped = true;
        renameSync(sub, join(folder, 'vault/moved'));
        symlinkSync(join(folder, 'outside'), sub);
      }
      return null;
    };
    expect(open(join(folder, 'vault'), 'sub/a.md')).toMatch(/it is a link/);
    expect(isSwapped).toBe(true);
    calls.intercept = () => null;
  });

  it('refuses files of a drive that does not report where they are', () => {
    const folder = realpathSync(temporaryFolder());
    layOut(folder, { 'a.md': 'one\n' });
    windows.finalPaths.set(join(folder, 'a.md'), null);
    expect(open(folder, 'a.md')).toMatch(/does not report where it is/);
  });

  it('refuses a file that another program holds, after several tries', () => {
    const folder = temporaryFolder();
    layOut(folder, { 'a.md': 'one\n' });
    let tries = 0;
    let held = 3;
    calls.intercept = (name, [path]) => {
      if (name !== 'openSync' || !String(path).endsWith('a.md')) return null;
      tries += 1;
      return tries <= held ? 'EBUSY' : null;
    };
    expect(open(folder, 'a.md')).toBe('file');
    [tries, held] = [0, Infinity];
    expect(open(folder, 'a.md')).toMatch(/another program has it open/);
    expect(tries).toBe(5);
    calls.intercept = () => null;
  });
});

describe('flushing a folder on Windows', () => {
  it('opens it for writing, and tolerates only a missing permission or ability', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'sub'));
    const root = openRootFolder(resolveRoot(folder));
    windows.calls.length = 0;
    fsyncFolder(root);
    expect(windows.calls).toEqual(['CreateFileW', 'FlushFileBuffers']);
    windows.errors['CreateFileW'] = [5];
    fsyncFolder(root);
    windows.errors['FlushFileBuffers'] = [1117];
    expect(() => fsyncFolder(root)).toThrow('EIO');
    closeSync(root.fd);
  });
});
