import type { Clock } from '../contract/index.ts';
import type { ConflictCopy, FindCopy } from './conflict-copies.ts';
import { entryOf, isCurrent, recordFile } from './entry.ts';
import type { FileEntry, FileRecord, FolderEntry } from './entry.ts';
import { systemCode } from './error.ts';
import { isForeignFile, placeholderOf } from './foreign-names.ts';
import { closing, enterChild, lstatChild, namesIn, spellingIn } from './jail.ts';
import type { OpenFile, OpenFolder } from './jail.ts';
import { childPath, deepestLevel, nameProblem, partsOf } from './path.ts';
import type { VaultPath } from './path.ts';

/** A file of the vault that is not what it was; `record` is null when it is gone. */
export type CatalogueChange = { path: VaultPath; record: FileRecord | null };

/** Something in the folder that Keepsake passes over, and why. */
export type Skipped = { path: string; reason: string };

export type Scan = {
  clock: Clock;
  /** Awaited between files, so that a long scan does not hold up everything else. */
  pause: () => Promise<void>;
  /** What is remembered of a folder that was not scanned in this process. */
  remembered: (path: VaultPath) => Map<string, FileEntry>;
  findCopy: FindCopy;
  changes: CatalogueChange[];
  skipped: Skipped[];
  /** Not listed with the notes they are of. */
  copies: ConflictCopy[];
};

/**
 * Lists a folder and everything below it, reading only files whose size or times differ from what is known
 * of them. Closes the folder.
 */
export async function scanFolder(
  scan: Scan,
  folder: OpenFolder,
  path: VaultPath,
  known?: FolderEntry,
): Promise<FolderEntry> {
  const before = known ?? { ...noFolder(path), files: scan.remembered(path) };
  return closing(folder, async () => {
    const entry = noFolder(path);
    if (partsOf(path).length >= deepestLevel) {
      scan.skipped.push({ path, reason: `what is more than ${deepestLevel} folders deep is not listed` });
      return entry;
    }
    const spellings = namesIn(folder);
    const spelledAs = new Map(spellings.map((each) => [each.normalize('NFC'), each]));
    for (const spelled of spellings) {
      if (spelled.startsWith('.')) continue;
      const name = spelled.normalize('NFC');
      const problem = nameProblem(name) ?? spellingProblem(folder, spelled, name, spellings);
      if (problem !== null) scan.skipped.push({ path: `${path}/${spelled}`, reason: problem });
      else await takeChild(scan, folder, { name, spelled }, entry, before, (other) => spelledAs.get(other));
    }
    keepAwaited(folder, before, entry);
    forgetMissing(scan, before, entry);
    return entry;
  });
}

/** Looks again at one name of an open folder and brings the folder's entry up to date. */
export async function rescanChild(
  scan: Scan,
  folder: OpenFolder,
  name: string,
  entry: FolderEntry,
): Promise<void> {
  const before = noFolder(entry.path);
  const [file, subfolder] = [entry.files.get(name), entry.folders.get(name)];
  if (file !== undefined) before.files.set(name, file);
  if (subfolder !== undefined) before.folders.set(name, subfolder);
  entry.files.delete(name);
  entry.folders.delete(name);
  const child = { name, spelled: spellingIn(folder, name) };
  const spellingOf = (other: string): string | undefined => {
    const spelled = spellingIn(folder, other);
    return lstatChild(folder, spelled) === undefined ? undefined : spelled;
  };
  await takeChild(scan, folder, child, entry, before, spellingOf);
  keepAwaited(folder, before, entry);
  forgetMissing(scan, before, entry);
}

function noFolder(path: VaultPath): FolderEntry {
  return { path, folders: new Map(), files: new Map() };
}

type Child = { name: string; spelled: string };

/** What is a copy of a note beside it is told apart; all else goes into the entry of the folder. */
async function takeChild(
  scan: Scan,
  folder: OpenFolder,
  child: Child,
  into: FolderEntry,
  before: FolderEntry,
  spellingOf: (name: string) => string | undefined,
): Promise<void> {
  const copy = await scan.findCopy(folder, child.spelled, spellingOf);
  if (copy !== null && lstatChild(folder, child.spelled)?.isFile() === true)
    scan.copies.push({
      ...copy,
      path: childPath(into.path, child.name),
      original: childPath(into.path, copy.original),
    });
  else if (!keepCurrent(folder, child, into, before)) await scanChild(scan, folder, child, into, before);
}

/** Takes over a file that is as it was; this decides how fast a start on an unchanged vault is. */
function keepCurrent(
  folder: OpenFolder,
  { name, spelled }: Child,
  into: FolderEntry,
  before: FolderEntry,
): boolean {
  const known = isForeignFile(name) ? undefined : before.files.get(name);
  const stats = known && lstatChild(folder, spelled);
  if (known === undefined || stats === undefined || !stats.isFile() || !isCurrent(known, stats)) return false;
  into.files.set(name, known);
  return true;
}

async function scanChild(
  scan: Scan,
  folder: OpenFolder,
  child: Child,
  into: FolderEntry,
  before: FolderEntry,
): Promise<void> {
  const { name, spelled } = child;
  await scan.pause();
  if (isForeignFile(name) && lstatChild(folder, spelled)?.isFile() === true) return;
  const path = childPath(into.path, name);
  const found = enterChild(folder, spelled);
  if (found.kind === 'refused') scan.skipped.push({ path, reason: found.reason });
  if (found.kind === 'folder') {
    into.folders.set(name, await scanFolder(scan, found, path, before.folders.get(name)));
  }
  if (found.kind === 'file') {
    const record = await closing(found, () => recordOrReason(name, found, scan.clock()));
    if (typeof record === 'string') scan.skipped.push({ path, reason: record });
    else {
      into.files.set(name, entryOf(record));
      scan.changes.push({ path, record });
    }
  }
}

/** A file the disk cannot deliver is passed over with the reason; the rest of the vault is still listed. */
async function recordOrReason(name: string, file: OpenFile, now: number): Promise<FileRecord | string> {
  try {
    return await recordFile(name, file, now);
  } catch (error) {
    return `it cannot be read (${systemCode(error) ?? String(error)})`;
  }
}

/** A note that a sync service took off the disk, and left a placeholder for, is still one of the vault. */
function keepAwaited(folder: OpenFolder, before: FolderEntry, after: FolderEntry): void {
  for (const [name, entry] of before.files)
    if (!after.files.has(name) && lstatChild(folder, placeholderOf(name)) !== undefined)
      after.files.set(name, entry);
}

function forgetMissing(scan: Scan, before: FolderEntry, after: FolderEntry): void {
  for (const name of before.files.keys()) {
    if (!after.files.has(name)) scan.changes.push({ path: childPath(before.path, name), record: null });
  }
  for (const [name, folder] of before.folders) {
    if (!after.folders.has(name)) forgetMissing(scan, folder, noFolder(folder.path));
  }
}

/** Why a name that is legal in itself cannot be told apart or opened. */
function spellingProblem(
  folder: OpenFolder,
  spelled: string,
  name: string,
  spellings: string[],
): string | null {
  const isTwin = (other: string): boolean =>
    other.normalize('NFC') === name && (other === name || other < spelled);
  if (name !== spelled && spellings.some(isTwin))
    return 'another one has the same name in composed Unicode; rename one of them';
  if (spelled.includes('\ufffd') && lstatChild(folder, spelled) === undefined)
    return 'its name is not UTF-8; rename it';
  return null;
}
