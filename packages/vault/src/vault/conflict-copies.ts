/*
 * How sync services name the second version of a note that two machines changed at once. Some of these names can be nothing
 * else. Others people give, too: such a note is a copy only if most of its lines stand in the one beside it.
 */
import { readStart } from './byte-source.ts';
import { closing, enterChild, lstatChild } from './jail.ts';
import type { OpenFolder } from './jail.ts';
import { kindOf } from './kind.ts';
import { childPath, nameOf, parentPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { endingOf } from './portable-name.ts';

/** A version of a note that a sync service put beside it. `isCertain` when nobody else gives such a name. */
export type ConflictCopy = { path: VaultPath; original: VaultPath; isCertain: boolean };

/** The name of the file that a copy is of. */
type CopyName = Pick<ConflictCopy, 'isCertain'> & { original: string };

/** What services put between the name of a file and its ending. */
const certain: readonly RegExp[] = [
  // Syncthing: name.sync-conflict-20260714-183000-ABCDEFG.md
  /\.sync-conflict-\d{8}-\d{6}(?:-[A-Z2-7]{7})?$/,
  // Dropbox, Nextcloud and Obsidian Sync: name (somebody's conflicted copy 2026-07-14).md, in their languages
  / \((?=[^()]*\d{4}-?\d{2}-?\d{2})[^()]*(?:conflict(?:ed)? copy|copie en conflit|copie conflictuelle|copia en conflicto|copia in conflitto|cópia em conflito|konflikt stehende kopie|konfliktkopie|conflicterende kopie|конфликтующая копия|競合コピー|冲突副本|충돌된 복사본)[^()]*\)$/iu,
  // Dropbox, for names that differ only in case
  / \((?:[^()]* )?case conflict(?: \d+)?\)$/i,
  // ownCloud, before it wrote words
  /_conflict-\d{8}-\d{6}$/,
];

const uncertain: readonly RegExp[] = [
  // iCloud: name 2.md
  / (?:[2-9]|[1-9]\d)$/,
  // Google Drive: name (1).md
  / \([1-9]\d?\)$/,
  // OneDrive: name-DESKTOP-ABC123.md
  /-(?:DESKTOP|LAPTOP|WIN|PC)-[A-Z\d]{4,15}(?:-\d{1,2})?$/,
];

/** What a note is a copy of, going by its name, if that `isThere`. A copy of a copy is one of the first. */
export function copyName(name: string, isThere: (name: string) => boolean): CopyName | null {
  if (kindOf(name) !== 'markdown') return null;
  const length = name.length - endingOf(name).length;
  let found: CopyName | null = null;
  let isCertain = true;
  for (let mark = markIn(name.slice(0, length)); mark !== null; mark = markIn(mark.before)) {
    isCertain &&= mark.isCertain;
    const original = mark.before + name.slice(length);
    if (isThere(original)) found = { original, isCertain };
  }
  return found;
}

/** What a note is a copy of by a name that nobody but a service gives, wherever that is; null when it has none. */
export function originalByName(path: VaultPath): VaultPath | null {
  const found = copyName(nameOf(path), () => true);
  return found?.isCertain === true ? childPath(parentPath(path), found.original) : null;
}

function markIn(stem: string): { before: string; isCertain: boolean } | null {
  const find = (patterns: readonly RegExp[]): number =>
    patterns.map((pattern) => pattern.exec(stem)?.index ?? 0).find((index) => index > 0) ?? 0;
  const index = find(certain);
  if (index > 0) return { before: stem.slice(0, index), isCertain: true };
  const other = find(uncertain);
  return other > 0 ? { before: stem.slice(0, other), isCertain: false } : null;
}

const leastCommon = 3;

/** Whether two texts are versions of one: not the same, and most lines of the shorter one stand in the other. */
export function areVersions(a: string, b: string): boolean {
  if (a === b) return false;
  const [one, other] = [linesOf(a), linesOf(b)];
  const common = one.intersection(other).size;
  return common >= leastCommon && common * 3 >= Math.min(one.size, other.size) * 2;
}

function linesOf(text: string): Set<string> {
  const lines = text.split('\n').map((line) => line.trim());
  return new Set(lines.filter((line) => line !== ''));
}

/** Tells what a file of an open folder is a copy of; null for a note of its own. */
export type FindCopy = (
  folder: OpenFolder,
  spelled: string,
  spellingOf: (name: string) => string | undefined,
) => Promise<CopyName | null>;

/** Longer notes are compared by how they begin. */
const mostCompared = 256 * 1024;
const mostRemembered = 10_000;

/** Two notes are read once, and again when one of them changed: every scan asks. */
export function createCopyFinder(): FindCopy {
  const known = new Map<string, boolean>();
  return async (folder, spelled, spellingOf) => {
    const found = copyName(spelled.normalize('NFC'), (name) => spellingOf(name) !== undefined);
    if (found === null || found.isCertain) return found;
    const names = [spelled, spellingOf(found.original) ?? found.original];
    const key = JSON.stringify(names.map((name) => stateOf(folder, name)));
    let isVersion = known.get(key);
    if (isVersion === undefined) {
      const [copy, original] = [await startOf(folder, names[0]), await startOf(folder, names[1])];
      isVersion = copy !== null && original !== null && areVersions(copy, original);
      if (known.size > mostRemembered) known.clear();
      known.set(key, isVersion);
    }
    return isVersion ? found : null;
  };
}

/** What changes when the file does. */
function stateOf(folder: OpenFolder, name: string): (string | number | undefined)[] {
  const stats = lstatChild(folder, name);
  return [name, stats?.ino, stats?.size, stats?.mtimeMs, stats?.ctimeMs];
}

async function startOf(folder: OpenFolder, name = ''): Promise<string | null> {
  const file = enterChild(folder, name);
  if (file.kind !== 'file' && file.kind !== 'folder') return null;
  return closing(file, async () =>
    file.kind === 'file' ? readStart(file.fd, Math.min(file.stats.size, mostCompared)).toString() : null,
  );
}
