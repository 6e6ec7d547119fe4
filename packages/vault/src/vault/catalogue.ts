import { createLimiter } from '../contract/index.ts';
import type { Clock, VaultSize } from '../contract/index.ts';
import type { CatalogueStore } from './catalogue-store.ts';
import { createCopyDetector } from './conflict-copies.ts';
import type { ConflictCopy } from './conflict-copies.ts';
import { matchesStats, createFileRecord } from './file-record.ts';
import type { FileRecord, FolderEntry } from './file-record.ts';
import { walkFilePaths, walkFiles } from './walk-files.ts';
import { findFolder } from './find-entry.ts';
import { closeAfter, openPath, openRootFolder } from './open-path.ts';
import type { OpenFile, VaultRoot } from './open-path.ts';
import { fileKindOf } from './file-kind.ts';
import { childPath, baseName, parentPath, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { createYielder } from './create-yielder.ts';
import { rescanChild, scanFolder } from './scan.ts';
import type { CatalogueChange, ScanContext, SkippedEntry } from './scan.ts';
import type { NoteMarks } from './note-marks.ts';
import type { NoteTasks, TaskGroups } from './tasks.ts';

/** The files and folders of the vault. Persisted in its store, so that a restart reads only files that changed in between. */
export type Catalogue = {
  /** The whole vault as last scanned; the first call scans it. */
  contents(): Promise<FolderEntry>;
  /** Compares everything with the disk and returns the changed files. */
  refresh(): Promise<CatalogueChange[]>;
  /** Rescans one file or folder after a change notification. */
  refreshPath(path: VaultPath): Promise<CatalogueChange[]>;
  /** The record of an open file, measured now unless the stored one is still valid. */
  getRecord(path: VaultPath, file: OpenFile): Promise<FileRecord>;
  /** The stored record of a file, without accessing the file. */
  cachedRecord(path: VaultPath): FileRecord | undefined;
  /** Finds notes that may link to one of these names, as last scanned. */
  findLinkingNotes(names: ReadonlySet<string>): Promise<VaultPath[]>;
  /** A group of the tasks of all notes, as last scanned. Null if they are not stored; then each note has to be read. */
  findTasks(group: keyof TaskGroups): Promise<NoteTasks[] | null>;
  /** The notes that have tags or are pinned, as last scanned. Null if they are not stored; then each note has to be read. */
  findMarks(): Promise<NoteMarks[] | null>;
  /** Size of the vault as last scanned; updated incrementally after a change. */
  size(): Promise<VaultSize>;
  /** Entries that the last scan of the whole vault skipped. */
  skipped(): readonly SkippedEntry[];
  /** Conflict copies that sync services created beside notes; they are not part of the contents. */
  conflictCopies(): readonly ConflictCopy[];
};

/** How long a scan may block the event loop before it yields. */
const maxBlockMs = 15;

export function createCatalogue(root: VaultRoot, store: CatalogueStore, clock: Clock): Catalogue {
  let cachedContents: FolderEntry | null = null;
  /** Null when it has to be recounted. */
  let size: VaultSize | null = null;
  let skipped: SkippedEntry[] = [];
  let copies: ConflictCopy[] = [];
  const findCopy = createCopyDetector();
  /** Scans run one after another. */
  const runExclusive = createLimiter();
  const startScan = (): ScanContext => ({
    clock,
    yieldIfDue: createYielder(maxBlockMs),
    cachedFiles: cachedContents === null ? store.filesIn : () => new Map(),
    findCopy,
    changes: [],
    skipped: [],
    copies: [],
  });

  const refresh = async (): Promise<{ contents: FolderEntry; changes: CatalogueChange[] }> => {
    const scan = startScan();
    const contents = await scanFolder(scan, openRootFolder(root), rootPath, cachedContents ?? undefined);
    if (cachedContents === null) scan.changes.push(...filesOfRemovedFolders(store, contents));
    cachedContents = contents;
    size = null;
    skipped = scan.skipped;
    copies = scan.copies;
    store.save(scan.changes);
    return { contents, changes: scan.changes };
  };

  const rescan = async (path: VaultPath): Promise<CatalogueChange[]> => {
    // A catalogue that was never scanned cannot be out of date.
    if (cachedContents === null) return [];
    if (path === rootPath) return (await refresh()).changes;
    const parent = findFolder(cachedContents, parentPath(path));
    const found = openPath(root, parentPath(path));
    // If the parent appeared or disappeared, the parent itself is the change.
    if (parent === undefined || found.kind !== 'folder') {
      if (found.kind === 'folder' || found.kind === 'file') await closeAfter(found, async () => undefined);
      return rescan(parentPath(path));
    }
    const scan = startScan();
    const [before, previousSize] = [sizeOf(parent, baseName(path)), size];
    size = null;
    await closeAfter(found, () => rescanChild(scan, found, baseName(path), parent));
    const after = sizeOf(parent, baseName(path));
    if (previousSize !== null)
      size = {
        bytes: previousSize.bytes + after.bytes - before.bytes,
        files: previousSize.files + after.files - before.files,
      };
    const isElsewhere = (copy: ConflictCopy): boolean =>
      copy.path !== path && !copy.path.startsWith(`${path}/`);
    copies = [...copies.filter(isElsewhere), ...scan.copies];
    store.save(scan.changes);
    return scan.changes;
  };

  return {
    contents: () => runExclusive(async () => cachedContents ?? (await refresh()).contents),
    refresh: () => runExclusive(async () => (await refresh()).changes),
    refreshPath: (path) => runExclusive(() => rescan(path)),
    async getRecord(path, file) {
      const cached = store.find(path);
      if (cached !== undefined && matchesStats(cached, file.stats)) return cached;
      const record = await createFileRecord(baseName(path), file, clock());
      store.save([{ path, record }]);
      return record;
    },
    cachedRecord: store.find,
    async findLinkingNotes(names) {
      const contents = await runExclusive(async () => cachedContents ?? (await refresh()).contents);
      return store.findLinkingNotes(names) ?? [...walkFilePaths(contents)].filter(isText);
    },
    findTasks: (group) =>
      runExclusive(async () => {
        if (cachedContents === null) await refresh();
        return store.findTasks(group);
      }),
    findMarks: () =>
      runExclusive(async () => {
        if (cachedContents === null) await refresh();
        return store.findMarks();
      }),
    size: () =>
      runExclusive(async () => {
        const contents = cachedContents ?? (await refresh()).contents;
        return (size ??= computeSize(contents));
      }),
    skipped: () => skipped,
    conflictCopies: () => copies,
  };
}

/** The size of one entry of a folder. */
function sizeOf({ files, folders }: FolderEntry, name: string): VaultSize {
  const [file, folder] = [files.get(name), folders.get(name)];
  if (file !== undefined) return { bytes: file.size, files: 1 };
  return folder === undefined ? { bytes: 0, files: 0 } : computeSize(folder);
}

function computeSize(folder: FolderEntry): VaultSize {
  const size = { bytes: 0, files: 0 };
  for (const { entry } of walkFiles(folder)) {
    size.bytes += entry.size;
    size.files += 1;
  }
  return size;
}

function isText(path: VaultPath): boolean {
  return fileKindOf(baseName(path)) === 'markdown';
}

/** Files of folders that were removed while Keepsake was not running. */
function filesOfRemovedFolders(store: CatalogueStore, contents: FolderEntry): CatalogueChange[] {
  const gone = store.folders().filter((path) => findFolder(contents, path) === undefined);
  return gone.flatMap((path) =>
    [...store.filesIn(path).keys()].map((name) => ({ path: childPath(path, name), record: null })),
  );
}
