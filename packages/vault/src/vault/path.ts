declare const brand: unique symbol;

/**
 * A place in the vault: `vault/projects/x/state.md`. Logical, `/`-separated, NFC, always with the `vault/`
 * prefix, never with a final slash; the vault itself is `vault`. Comes only from `parseVaultPath` and the
 * functions of this file, so it has no `..`, no hidden part and no NUL.
 */
export type VaultPath = string & { readonly [brand]: 'VaultPath' };

export type ParsedPath = { ok: true; path: VaultPath } | { ok: false; reason: string };

export const rootPath = 'vault' as VaultPath;

const longestName = 255;
const longestPath = 4096;
/** A scan holds one open folder per level; deeper ones are not part of the vault. */
export const deepestLevel = 100;

/** Reads a path as a person, a model or our own output writes it; `vault/` in front is optional. */
export function parseVaultPath(input: string): ParsedPath {
  if (input === '') return refuse('the path is empty; name a file or folder, for example vault/overview.md');
  if (!input.isWellFormed()) return refuse('the path is not valid Unicode');
  const unescaped = unescapePath(input);
  if (unescaped === null) return refuse('a path uses / between its parts; a backslash is not allowed');
  const text = unescaped.normalize('NFC');
  if (text.startsWith('/')) return refuse('absolute paths are refused; write it from the vault, as vault/…');
  if (Buffer.byteLength(text) > longestPath) return refuse(`the path is longer than ${longestPath} bytes`);

  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts[0] === rootPath) parts.shift();
  if (parts.length > deepestLevel) return refuse(`the path is more than ${deepestLevel} folders deep`);
  for (const part of parts) {
    const problem = nameProblem(part);
    if (problem !== null) return refuse(problem);
  }
  return { ok: true, path: [rootPath, ...parts].join('/') as VaultPath };
}

/** Why a name cannot be part of a vault path, or null when it can. Judges names found on disk, too. */
export function nameProblem(name: string): string | null {
  if (name === '..') return 'outside the vault; .. is refused, write the path from vault/';
  if (name.startsWith('.')) return 'hidden files and folders are not part of the vault';
  if (name.includes('\0')) return 'a name cannot contain a NUL character';
  if (name.includes('\\')) return 'a name with a backslash is refused; rename it';
  if (Buffer.byteLength(name) > longestName) return `a name is longer than ${longestName} bytes`;
  return null;
}

/** Extends a path by one name that `nameProblem` has let through. */
export function childPath(folder: VaultPath, name: string): VaultPath {
  return `${folder}/${name}` as VaultPath;
}

export function parentPath(path: VaultPath): VaultPath {
  const slash = path.lastIndexOf('/');
  return (slash < 0 ? path : path.slice(0, slash)) as VaultPath;
}

/** The last part of the path. */
export function nameOf(path: VaultPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The parts below `vault/`; none for the vault itself. */
export function partsOf(path: VaultPath): string[] {
  return path.split('/').slice(1);
}

/** `projects/x/state.md`: the path as links, git and path patterns write it. */
export function belowRoot(path: VaultPath): string {
  return path.slice(rootPath.length + 1);
}

const invisible =
  /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const entityStart = /&(?=#?\w+;)/g;
const looksLikeHeaderNote = /\((?=(?:lines|folded)[^()]*\)$)/;
/** Most names, at a fraction of the cost of looking for every exception. */
const isPlain = /^[\w./-]+$/;
/**
 * The path as people and models see it. What would break a line, a terminal or a markdown info string is
 * written as an escape (`\n`, `\u{202e}`), which `parseVaultPath` reads back: parsing what is shown always
 * gives the same path.
 */
export function showPath(path: VaultPath): string {
  if (isPlain.test(path)) return path;
  return escapeInvisible(path)
    .replaceAll(entityStart, escapeCharacter)
    .replace(looksLikeHeaderNote, escapeCharacter)
    .replace(/\s$/, escapeCharacter);
}

export function showFolder(path: VaultPath): string {
  return `${showPath(path)}/`;
}

/** An input that may not be a path at all, made fit for one line of an error. */
export function showInput(input: string): string {
  const line = escapeInvisible(input.toWellFormed());
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

export function escapeInvisible(text: string): string {
  if (isPlain.test(text)) return text;
  return text.replaceAll(invisible, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return character === '\n' ? '\\n' : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Null when a backslash starts none of our own escapes. */
function unescapePath(text: string): string | null {
  let valid = true;
  const plain = text.replaceAll(/\\(?:(n)|u\{([0-9a-f]{1,6})\}|)/g, (_, newline, hex) => {
    if (newline !== undefined) return '\n';
    const code = hex === undefined ? -1 : Number.parseInt(hex, 16);
    if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) valid = false;
    return valid ? String.fromCodePoint(code) : '';
  });
  return valid ? plain : null;
}

function refuse(reason: string): ParsedPath {
  return { ok: false, reason };
}
