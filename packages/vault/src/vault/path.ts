declare const brand: unique symbol;

/**
 * A path in the vault, e.g. `vault/projects/x/state.md`: `/`-separated, NFC, always with the `vault/` prefix, never with a final
 * slash; the vault itself is `vault`. Created only by `parseVaultPath` and the functions of this file, so it contains no `..`, no
 * hidden part and no NUL.
 */
export type VaultPath = string & { readonly [brand]: 'VaultPath' };

export type ParsedPath = { ok: true; path: VaultPath } | { ok: false; reason: string };

export const rootPath = 'vault' as VaultPath;

const maxNameBytes = 255;
const maxPathBytes = 4096;
/** A scan keeps one folder open per level; deeper folders are not part of the vault. */
export const maxDepth = 100;

/** Parses a path as written by a user, a model or our own output; the `vault/` prefix is optional. */
export function parseVaultPath(input: string): ParsedPath {
  if (input === '') return refuse('the path is empty; pass a file or folder, for example vault/overview.md');
  if (!input.isWellFormed()) return refuse('the path is not valid Unicode');
  const unescaped = unescapePath(input);
  if (unescaped === null) return refuse('backslashes are not allowed in a path; use /');
  const text = unescaped.normalize('NFC');
  if (text.startsWith('/'))
    return refuse('absolute paths are not allowed; use a path in the vault, e.g. vault/…');
  if (Buffer.byteLength(text) > maxPathBytes) return refuse(`the path is longer than ${maxPathBytes} bytes`);

  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts[0] === rootPath) parts.shift();
  if (parts.length > maxDepth) return refuse(`the path is more than ${maxDepth} folders deep`);
  for (const part of parts) {
    const problem = nameProblem(part);
    if (problem !== null) return refuse(problem);
  }
  return { ok: true, path: [rootPath, ...parts].join('/') as VaultPath };
}

/** Why a name cannot be part of a vault path; null when it can. Also applied to names on disk. */
export function nameProblem(name: string): string | null {
  if (name === '..') return 'outside the vault; .. is not allowed, use a path that starts with vault/';
  if (name.startsWith('.')) return 'hidden files and folders are not part of the vault';
  if (name.includes('\0')) return 'a name cannot contain a NUL character';
  if (name.includes('\\')) return 'a name cannot contain a backslash; rename it';
  if (Buffer.byteLength(name) > maxNameBytes) return `a name is longer than ${maxNameBytes} bytes`;
  return null;
}

/** Appends a name that `nameProblem` has accepted. */
export function childPath(folder: VaultPath, name: string): VaultPath {
  return `${folder}/${name}` as VaultPath;
}

export function parentPath(path: VaultPath): VaultPath {
  const slash = path.lastIndexOf('/');
  return (slash < 0 ? path : path.slice(0, slash)) as VaultPath;
}

/** The last segment of the path. */
export function baseName(path: VaultPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The segments after `vault/`; none for the vault itself. */
export function pathSegments(path: VaultPath): string[] {
  return path.split('/').slice(1);
}

/** The path without `vault/`, as used in links, git and path patterns: `projects/x/state.md`. */
export function toRelativePath(path: VaultPath): string {
  return path.slice(rootPath.length + 1);
}

const invisible =
  /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const entityStart = /&(?=#?\w+;)/g;
const looksLikeHeaderNote = /\((?=(?:lines|folded)[^()]*\)$)/;
/** Fast path for most names, which need no escaping. */
const isPlain = /^[\w./-]+$/;
/**
 * Formats a path for users and models. Characters that would break a line, a terminal or a markdown info string are escaped
 * (`\n`, `\u{202e}`). `parseVaultPath` reverses this, so that parsing a formatted path always returns the same path.
 */
export function formatPath(path: VaultPath): string {
  if (isPlain.test(path)) return path;
  return escapeInvisible(path)
    .replaceAll(entityStart, escapeCharacter)
    .replace(looksLikeHeaderNote, escapeCharacter)
    .replace(/\s$/, escapeCharacter);
}

export function formatFolderPath(path: VaultPath): string {
  return `${formatPath(path)}/`;
}

/** Formats arbitrary input for one line of an error message. */
export function formatInput(input: string): string {
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

/** Null when a backslash does not start one of our escapes. */
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
