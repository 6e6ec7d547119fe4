import type { Clock } from '../contract/index.ts';
import type { ConflictCopy, DetectCopy } from './conflict-copies.ts';
import { toFileEntry, matchesStats, createFileRecord } from './file-record.ts';
import type { FileEntry, FileRecord, FolderEntry } from './file-record.ts';
import { errorCode } from './vault-error.ts';
import { isTransientFile, icloudPlaceholderName } from './transient-files.ts';
import { closeAfter, openChild, lstatChild, readNames, resolveDiskName } from './open-path.ts';
import type { OpenFile, OpenFolder } from './open-path.ts';
import { childPath, maxDepth, nameProblem, pathSegments } from './path.ts';
import type { VaultPath } from './path.ts';

/** A changed file; `record` is null when it was removed. */
export type CatalogueChange = { path: VaultPath; record: FileRecord | null };

/** An entry that Keepsake skips, with the reason. */
export type SkippedEntry = { path: string; reason: string };

export type ScanContext = {
  clock: Clock;
  /** Awaited between files, so that a long scan does not block the event loop. */
  yieldIfDue: () => Promise<void>;
  /** The stored entries of a folder that was not scanned in this process. */
  cachedFiles: (path: VaultPath) => Map<string, FileEntry>;
  findCopy: DetectCopy;
  changes: CatalogueChange[];
  skipped: SkippedEntry[];
  /** Conflict copies, which are not listed as notes. */
  copies: ConflictCopy[];
};

/**
 * Lists a folder recursively and reads only files whose size or timestamps differ from the known ones. Closes the folder.
 */
export async function scanFolder(
  scan: ScanContext,
  folder: OpenFolder,
  path: VaultPath,
  known?: FolderEntry,
): Promise<FolderEntry> {
  const before = known ?? { ...emptyFolder(path), files: scan.cachedFiles(path) };
  return closeAfter(folder, async () => {
    const entry = emptyFolder(path);
    if (pathSegments(path).length >= maxDepth) {
      scan.skipped.push({ path, reason: `folders more than ${maxDepth} levels deep are not listed` });
      return entry;
    }
    const diskNames = readNames(folder);
    const diskNamesByName = new Map(diskNames.map((each) => [each.normalize('NFC'), each]));
    for (const diskName of diskNames) {
      if (diskName.startsWith('.')) continue;
      const name = diskName.normalize('NFC');
      const problem = nameProblem(name) ?? diskNameProblem(folder, diskName, name, diskNames);
      if (problem !== null) scan.skipped.push({ path: `${path}/${diskName}`, reason: problem });
      else
        await addChild(scan, folder, { name, diskName }, entry, before, (other) =>
          diskNamesByName.get(other),
        );
    }
    keepOffloaded(folder, before, entry);
    reportRemoved(scan, before, entry);
    return entry;
  });
}

/** Rescans one name of an open folder and updates the entry of the folder. */
export async function rescanChild(
  scan: ScanContext,
  folder: OpenFolder,
  name: string,
  entry: FolderEntry,
): Promise<void> {
  const before = emptyFolder(entry.path);
  const [file, subfolder] = [entry.files.get(name), entry.folders.get(name)];
  if (file !== undefined) before.files.set(name, file);
  if (subfolder !== undefined) before.folders.set(name, subfolder);
  entry.files.delete(name);
  entry.folders.delete(name);
  const child = { name, diskName: resolveDiskName(folder, name) };
  const diskNameOf = (other: string): string | undefined => {
    const diskName = resolveDiskName(folder, other);
    return lstatChild(folder, diskName) === undefined ? undefined : diskName;
  };
  await addChild(scan, folder, child, entry, before, diskNameOf);
  keepOffloaded(folder, before, entry);
  reportRemoved(scan, before, entry);
}

function emptyFolder(path: VaultPath): FolderEntry {
  return { path, folders: new Map(), files: new Map() };
}

type Child = { name: string; diskName: string };

/** Adds a child to the folder entry, or to the list of copies if it is a conflict copy. */
async function addChild(
  scan: ScanContext,
  folder: OpenFolder,
  child: Child,
  into: FolderEntry,
  before: FolderEntry,
  diskNameOf: (name: string) => string | undefined,
): Promise<void> {
  const copy = await scan.findCopy(folder, child.diskName, diskNameOf);
  if (copy !== null && lstatChild(folder, child.diskName)?.isFile() === true)
    scan.copies.push({
      ...copy,
      path: childPath(into.path, child.name),
      original: childPath(into.path, copy.original),
    });
  else if (!reuseUnchanged(folder, child, into, before)) await scanChild(scan, folder, child, into, before);
}

/** Reuses the entry of an unchanged file. This determines the startup time on an unchanged vault. */
function reuseUnchanged(
  folder: OpenFolder,
  { name, diskName }: Child,
  into: FolderEntry,
  before: FolderEntry,
): boolean {
  const known = isTransientFile(name) ? undefined : before.files.get(name);
  const stats = known && lstatChild(folder, diskName);
  if (known === undefined || stats === undefined || !stats.isFile() || !matchesStats(known, stats))
    return false;
  into.files.set(name, known);
  return true;
}

async function scanChild(
  scan: ScanContext,
  folder: OpenFolder,
  child: Child,
  into: FolderEntry,
  before: FolderEntry,
): Promise<void> {
  const { name, diskName } = child;
  await scan.yieldIfDue();
  if (isTransientFile(name) && lstatChild(folder, diskName)?.isFile() === true) return;
  const path = childPath(into.path, name);
  const found = openChild(folder, diskName);
  if (found.kind === 'refused') {
    scan.skipped.push({ path, reason: found.reason });
    const known = before.files.get(name);
    // The file exists, so it must not be reported as removed; it is read by the next scan.
    if (found.isBusy === true && known !== undefined) into.files.set(name, known);
  }
  if (found.kind === 'folder') {
    into.folders.set(name, await scanFolder(scan, found, path, before.folders.get(name)));
  }
  if (found.kind === 'file') {
    const record = await closeAfter(found, () => tryCreateRecord(name, found, scan.clock()));
    if (typeof record === 'string') scan.skipped.push({ path, reason: record });
    else {
      into.files.set(name, toFileEntry(record));
      scan.changes.push({ path, record });
    }
  }
}

/** Returns the reason if the file cannot be read, so that the rest of the vault is still listed. */
async function tryCreateRecord(name: string, file: OpenFile, now: number): Promise<FileRecord | string> {
  try {
    return await createFileRecord(name, file, now);
  } catch (error) {
    return `it cannot be read (${errorCode(error) ?? String(error)})`;
  }
}

/** Keeps the entry of a file that a sync service has offloaded and replaced by a placeholder. */
function keepOffloaded(folder: OpenFolder, before: FolderEntry, after: FolderEntry): void {
  for (const [name, entry] of before.files)
    if (!after.files.has(name) && lstatChild(folder, icloudPlaceholderName(name)) !== undefined)
      after.files.set(name, entry);
}

function reportRemoved(scan: ScanContext, before: FolderEntry, after: FolderEntry): void {
  for (const name of before.files.keys()) {
    if (!after.files.has(name)) scan.changes.push({ path: childPath(before.path, name), record: null });
  }
  for (const [name, folder] of before.folders) {
    if (!after.folders.has(name)) reportRemoved(scan, folder, emptyFolder(folder.path));
  }
}

/** Why a valid name is ambiguous or cannot be opened; null if it is fine. */
function diskNameProblem(
  folder: OpenFolder,
  diskName: string,
  name: string,
  diskNames: string[],
): string | null {
  const isTwin = (other: string): boolean =>
    other.normalize('NFC') === name && (other === name || other < diskName);
  if (name !== diskName && diskNames.some(isTwin))
    return 'another entry has the same name in composed Unicode; rename one of them';
  if (diskName.includes('\ufffd') && lstatChild(folder, diskName) === undefined)
    return 'its name is not UTF-8; rename it';
  return null;
}
