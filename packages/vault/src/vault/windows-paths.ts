import { isPortable } from './portable-name.ts';
import { windowsCalls } from './windows-calls.ts';

/**
 * Why Windows would open something else by this name: a stream (`a.md::$DATA`), a device (`NUL`), or the same file by
 * another name (`a.md.`). Null for a usual name.
 */
export function windowsNameProblem(name: string): string | null {
  return isPortable(name) ? null : 'Windows reserves this name; use another one';
}

/** The path of an open folder as spelled on disk. Empty on other systems, and for a drive that does not report it. */
export function finalPathOf(fd: number): string {
  if (process.platform !== 'win32') return '';
  return windowsCalls().finalPath(fd)?.replace(/\\$/, '') ?? '';
}

/**
 * Why the open file or folder is not the child of this name in the folder with this final path; null if it is. Links,
 * junctions and short names (`PRIVAT~1`) open an entry elsewhere or under another name. Whether a path contains one can
 * only be decided on what was opened, because it could be replaced between a check and the opening.
 */
export function locationProblem(fd: number, folderPath: string, name: string): string | null {
  const path = finalPathOf(fd);
  if (path === '' || folderPath === '')
    return 'its drive does not report where it is, so it could be outside the vault';
  return isSameName(path, `${folderPath}\\${name}`)
    ? null
    : 'it is a link, or this is not its full name; use its name on disk';
}

/** Compares as Windows does: letter by letter, without case. */
export function isSameName(a: string, b: string): boolean {
  return a.length === b.length && toUpperLetters(a) === toUpperLetters(b);
}

function toUpperLetters(text: string): string {
  return text.replaceAll(/[^\0-\x7f]|[a-z]+/g, (letters) => {
    const upper = letters.toUpperCase();
    return upper.length === letters.length ? upper : letters;
  });
}
