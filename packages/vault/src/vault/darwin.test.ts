import { closeSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeDarwin } from '../../../../test/fake-darwin.ts';
import { interceptCalls } from '../../../../test/intercepted-calls.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { resolveCaseOnDisk } from './case-on-disk.ts';
import { resolveRoot } from './index.ts';
import { openPath } from './open-path.ts';
import type { VaultPath } from './path.ts';

const calls = interceptCalls();
fakeDarwin();

/** O_NOFOLLOW_ANY as the kernel of macOS applies it. */
function refuseLinks(): void {
  const before = calls.intercept;
  calls.intercept = (name, args) => {
    const code = before(name, args);
    const [path, flags] = args;
    if (name !== 'openSync' || code !== null || (Number(flags) & 0x2000_0000) === 0) return code;
    return realpathSync(String(path)) === path ? null : 'ELOOP';
  };
}

describe('opening a path on macOS', () => {
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
    refuseLinks();
    const found = openPath(resolveRoot(join(folder, 'vault')), 'vault/sub/a.md' as VaultPath);
    calls.intercept = () => null;
    if (found.kind === 'file') closeSync(found.fd);
    expect(isSwapped).toBe(true);
    expect(found).toMatchObject({ kind: 'refused', reason: 'symbolic links are not followed' });
  });
});

describe('a name in other capitals on macOS', () => {
  it('is resolved to the one on disk, also of its folders, and kept if there is none', () => {
    const folder = temporaryFolder();
    layOut(folder, { ['Bucket/Été.md'.normalize('NFD')]: 'one\n', 'a.md': 'two\n' });
    const root = resolveRoot(folder);
    const resolve = (path: string): string => resolveCaseOnDisk(root, path as VaultPath);
    expect(resolve('vault/bucket/ÉTÉ.md')).toBe('vault/Bucket/Été.md');
    expect(resolve('vault/BUCKET/new/Note.md')).toBe('vault/Bucket/new/Note.md');
    expect(resolve('vault/A.md')).toBe('vault/a.md');
    expect(resolve('vault/None/B.md')).toBe('vault/None/B.md');
    expect(resolve('vault')).toBe('vault');
  });

  it('is not looked up behind a link', () => {
    const folder = temporaryFolder();
    layOut(folder, { 'vault/a.md': 'one\n', 'outside/Secret.md': 'two\n' });
    symlinkSync(join(folder, 'outside'), join(folder, 'vault/outside'));
    expect(
      resolveCaseOnDisk(resolveRoot(join(folder, 'vault')), 'vault/outside/SECRET.md' as VaultPath),
    ).toBe('vault/outside/SECRET.md');
  });
});
