import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, resolve } from 'node:path';
import { findNearestVault, isSameFolder } from '../app/index.ts';

/** Translates a path as typed in a shell into a path that starts with `vault/`; null if it leads out of the vault. */
export type PathResolver = (typed: string, kind?: 'path' | 'pattern') => string | null;

/**
 * A path starts in the current folder if that is in the vault, otherwise at the root of the vault. A path that starts with `/` or
 * `vault/` always starts at the root, and an absolute path into the vault is accepted. `cwd` is null if it was deleted.
 */
export function createPathResolver(
  vault: string,
  cwd: string | null,
  platform: NodeJS.Platform = process.platform,
): PathResolver {
  const current = cwd === null ? null : findCurrentFolder(vault, cwd);
  return (typed, kind = 'path') => {
    const trimmed = kind === 'pattern' ? typed.trim() : typed;
    const text = platform === 'win32' ? replaceBackslashes(trimmed) : trimmed;
    if (text === '' || text === 'vault' || text.startsWith('vault/')) return text;
    if (isAbsolute(text)) return locate(vault, text) ?? (startsAtRoot(vault, text) ? `vault${text}` : null);
    if (current === null) {
      const isExplicit = cwd !== null && /^\.\.?(?:\/|$)/.test(text);
      return (isExplicit ? locate(vault, resolve(cwd, text), text) : null) ?? text;
    }
    const base = kind === 'pattern' ? current.replaceAll(/[*?[\]{}!]/g, String.raw`\$&`) : current;
    const path = posix.normalize(`vault/${base}/${text}`);
    return path === 'vault' || path.startsWith('vault/') ? path : null;
  };
}

/** The current folder below the vault, `''` for its root; null if it is outside or in another vault. */
function findCurrentFolder(vault: string, cwd: string): string | null {
  const nearest = findNearestVault(cwd);
  return nearest === undefined || isSameFolder(nearest, vault) ? findRelativePath(vault, cwd) : null;
}

function locate(vault: string, path: string, typed = path): string | null {
  const absolute = resolve(path);
  const relative = findRelativePath(vault, absolute) ?? findRelativePath(vault, resolveParents(absolute));
  if (relative === null) return null;
  return posix.join('vault', relative, typed.endsWith('/') ? '/' : '');
}

/** Compares folders and not their names, which may differ by links, mounts and letter case. */
function findRelativePath(vault: string, absolute: string): string | null {
  const names: string[] = [];
  for (let folder = absolute; ; folder = dirname(folder)) {
    if (isSameFolder(folder, vault)) return names.join('/');
    if (dirname(folder) === folder) return null;
    names.unshift(basename(folder));
  }
}

/** Follows the links above a file, which may not exist: a link to a folder of the vault leads into the vault. */
function resolveParents(path: string): string {
  if (dirname(path) === path) return path;
  const parent = dirname(path);
  return join(existsSync(parent) ? realpathSync(parent) : resolveParents(parent), basename(path));
}

/** A path such as `/tmp/x.md` means the disk, unless the vault has this folder or the disk does not. */
function startsAtRoot(vault: string, text: string): boolean {
  const first = text.split('/').find((name) => name !== '') ?? '';
  return text.startsWith('/') && (existsSync(join(vault, first)) || !existsSync(`/${first}`));
}

/** Keeps the escapes of invisible characters that we print, such as `\u{202e}`. */
function replaceBackslashes(text: string): string {
  return text.replaceAll(/\\(?!u\{[0-9a-f]{1,6}\})/g, '/');
}
