/*
 * Detects the conflict copies that sync services create when two machines change a note concurrently. Some of their names are
 * unmistakable. Others are also used by people: such a note is a copy only if it shares most of its lines with the original.
 */
import { readPrefixSync } from './byte-source.ts';
import { closeAfter, openChild, lstatChild } from './open-path.ts';
import type { OpenFolder } from './open-path.ts';
import { fileKindOf } from './file-kind.ts';
import { childPath, baseName, parentPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { extensionOf } from './portable-name.ts';

/** A conflict copy that a sync service created beside a note. `isCertain` if only sync services use such a name. */
export type ConflictCopy = { path: VaultPath; original: VaultPath; isCertain: boolean };

/** The original to which the name of a copy refers. */
type ParsedCopyName = Pick<ConflictCopy, 'isCertain'> & { original: string };

/** Suffixes that services insert before the extension. */
const certainPatterns: readonly RegExp[] = [
  // Syncthing: name.sync-conflict-20260714-183000-ABCDEFG.md
  /\.sync-conflict-\d{8}-\d{6}(?:-[A-Z2-7]{7})?$/,
  // Dropbox, Nextcloud and Obsidian Sync: name (someone's conflicted copy 2026-07-14).md, in several languages
  / \((?=[^()]*\d{4}-?\d{2}-?\d{2})[^()]*(?:conflict(?:ed)? copy|copie en conflit|copie conflictuelle|copia en conflicto|copia in conflitto|cópia em conflito|konflikt stehende kopie|konfliktkopie|conflicterende kopie|конфликтующая копия|競合コピー|冲突副本|충돌된 복사본)[^()]*\)$/iu,
  // Dropbox, for names that differ only in case
  / \((?:[^()]* )?case conflict(?: \d+)?\)$/i,
  // Older versions of ownCloud
  /_conflict-\d{8}-\d{6}$/,
];

const uncertainPatterns: readonly RegExp[] = [
  // iCloud: name 2.md
  / (?:[2-9]|[1-9]\d)$/,
  // Google Drive: name (1).md
  / \([1-9]\d?\)$/,
  // OneDrive: name-DESKTOP-ABC123.md
  /-(?:DESKTOP|LAPTOP|WIN|PC)-[A-Z\d]{4,15}(?:-\d{1,2})?$/,
];

/**
 * Finds the existing original of a copy by the name of the copy; null if there is none. A copy of a copy refers to the
 * first original.
 */
export function parseCopyName(name: string, exists: (name: string) => boolean): ParsedCopyName | null {
  if (fileKindOf(name) !== 'markdown') return null;
  const length = name.length - extensionOf(name).length;
  let found: ParsedCopyName | null = null;
  let isCertain = true;
  for (
    let mark = matchCopySuffix(name.slice(0, length));
    mark !== null;
    mark = matchCopySuffix(mark.before)
  ) {
    isCertain &&= mark.isCertain;
    const original = mark.before + name.slice(length);
    if (exists(original)) found = { original, isCertain };
  }
  return found;
}

/**
 * Returns the original of a copy whose name only sync services use, even if the original does not exist; null for other
 * names.
 */
export function originalFromName(path: VaultPath): VaultPath | null {
  const found = parseCopyName(baseName(path), () => true);
  return found?.isCertain === true ? childPath(parentPath(path), found.original) : null;
}

/** Every file of which this one may be a conflict copy according to its name, existing or not. */
export function listPossibleOriginals(path: VaultPath): VaultPath[] {
  const name = baseName(path);
  const extension = extensionOf(name);
  const originals: VaultPath[] = [];
  let mark = matchCopySuffix(name.slice(0, name.length - extension.length));
  for (; mark !== null; mark = matchCopySuffix(mark.before))
    originals.push(childPath(parentPath(path), mark.before + extension));
  return originals;
}

function matchCopySuffix(stem: string): { before: string; isCertain: boolean } | null {
  const find = (patterns: readonly RegExp[]): number =>
    patterns.map((pattern) => pattern.exec(stem)?.index ?? 0).find((index) => index > 0) ?? 0;
  const index = find(certainPatterns);
  if (index > 0) return { before: stem.slice(0, index), isCertain: true };
  const other = find(uncertainPatterns);
  return other > 0 ? { before: stem.slice(0, other), isCertain: false } : null;
}

const minCommonLines = 3;

/** Whether two texts are versions of the same note: not equal, and most lines of the shorter one are in the other. */
export function areVersions(a: string, b: string): boolean {
  if (a === b) return false;
  const [one, other] = [linesOf(a), linesOf(b)];
  const common = one.intersection(other).size;
  return common >= minCommonLines && common * 3 >= Math.min(one.size, other.size) * 2;
}

function linesOf(text: string): Set<string> {
  const lines = text.split('\n').map((line) => line.trim());
  return new Set(lines.filter((line) => line !== ''));
}

/** Detects whether a file of an open folder is a conflict copy; null if it is not. */
export type DetectCopy = (
  folder: OpenFolder,
  diskName: string,
  diskNameOf: (name: string) => string | undefined,
) => Promise<ParsedCopyName | null>;

/** Only this prefix of longer notes is compared. */
const maxComparedBytes = 256 * 1024;
const maxCacheEntries = 10_000;

/** Caches the comparison of two notes until one of them changes, because every scan asks for it. */
export function createCopyDetector(): DetectCopy {
  const cachedResults = new Map<string, boolean>();
  return async (folder, diskName, diskNameOf) => {
    const found = parseCopyName(diskName.normalize('NFC'), (name) => diskNameOf(name) !== undefined);
    if (found === null || found.isCertain) return found;
    const names = [diskName, diskNameOf(found.original) ?? found.original];
    const key = JSON.stringify(names.map((name) => fileFingerprint(folder, name)));
    let isVersion = cachedResults.get(key);
    if (isVersion === undefined) {
      const [copy, original] = [await readPrefix(folder, names[0]), await readPrefix(folder, names[1])];
      isVersion = copy !== null && original !== null && areVersions(copy, original);
      if (cachedResults.size > maxCacheEntries) cachedResults.clear();
      cachedResults.set(key, isVersion);
    }
    return isVersion ? found : null;
  };
}

/** Values that change with the file. */
function fileFingerprint(folder: OpenFolder, name: string): (string | number | undefined)[] {
  const stats = lstatChild(folder, name);
  return [name, stats?.ino, stats?.size, stats?.mtimeMs, stats?.ctimeMs];
}

async function readPrefix(folder: OpenFolder, name = ''): Promise<string | null> {
  const file = openChild(folder, name);
  if (file.kind !== 'file' && file.kind !== 'folder') return null;
  return closeAfter(file, async () =>
    file.kind === 'file'
      ? readPrefixSync(file.fd, Math.min(file.stats.size, maxComparedBytes)).toString()
      : null,
  );
}
