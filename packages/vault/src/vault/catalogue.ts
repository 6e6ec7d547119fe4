import { inTurn } from '../contract/index.ts';
import type { Clock, VaultSize } from '../contract/index.ts';
import type { CatalogueStore } from './catalogue-store.ts';
import { createCopyFinder } from './conflict-copies.ts';
import type { ConflictCopy } from './conflict-copies.ts';
import { isCurrent, recordFile } from './entry.ts';
import type { FileRecord, FolderEntry } from './entry.ts';
import { filePathsBelow, filesBelow } from './files-below.ts';
import { folderIn } from './folder-in.ts';
import { closing, enter, holdRoot } from './jail.ts';
import type { OpenFile, VaultRoot } from './jail.ts';
import { kindOf } from './kind.ts';
import { childPath, nameOf, parentPath, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { pauseEvery } from './pause-every.ts';
import { rescanChild, scanFolder } from './scan.ts';
import type { CatalogueChange, Scan, Skipped } from './scan.ts';

/** What the vault holds. Survives in its store, so that a new start reads only files that changed meanwhile. */
export type Catalogue = {
  /** The whole vault as last seen; the first call scans it. */
  contents(): Promise<FolderEntry>;
  /** Compares everything with the disk and tells which files changed. */
  refresh(): Promise<CatalogueChange[]>;
  /** Looks again at one file or folder, because somebody says that it changed. */
  changed(path: VaultPath): Promise<CatalogueChange[]>;
  /** All that is known of an open file, measured now unless what is remembered is still true. */
  recordOf(path: VaultPath, file: OpenFile): Promise<FileRecord>;
  /** All that is known of a file as it was last seen, without looking at it. */
  remembered(path: VaultPath): FileRecord | undefined;
  /** The texts that may link to others by one of these names, as last seen. */
  linking(names: ReadonlySet<string>): Promise<VaultPath[]>;
  /** How much the vault holds, as last seen; not counted anew after a change. */
  size(): Promise<VaultSize>;
  /** What the last scan of the whole vault passed over. */
  skipped(): readonly Skipped[];
  /** Second versions of notes that sync services put beside them: no notes, and not among the contents. */
  conflictCopies(): readonly ConflictCopy[];
};

/** How long a scan may keep other work waiting, in milliseconds. */
const slice = 15;

export function createCatalogue(root: VaultRoot, store: CatalogueStore, clock: Clock): Catalogue {
  let known: FolderEntry | null = null;
  /** Null when it has to be counted. */
  let size: VaultSize | null = null;
  let skipped: Skipped[] = [];
  let copies: ConflictCopy[] = [];
  const findCopy = createCopyFinder();
  /** Scans run one after another. */
  const scanning = inTurn();
  const startScan = (): Scan => ({
    clock,
    pause: pauseEvery(slice),
    remembered: known === null ? store.filesIn : () => new Map(),
    findCopy,
    changes: [],
    skipped: [],
    copies: [],
  });

  const refresh = async (): Promise<{ contents: FolderEntry; changes: CatalogueChange[] }> => {
    const scan = startScan();
    const contents = await scanFolder(scan, holdRoot(root), rootPath, known ?? undefined);
    if (known === null) scan.changes.push(...goneFolders(store, contents));
    known = contents;
    size = null;
    skipped = scan.skipped;
    copies = scan.copies;
    store.save(scan.changes);
    return { contents, changes: scan.changes };
  };

  const look = async (path: VaultPath): Promise<CatalogueChange[]> => {
    // What was never looked at cannot be out of date.
    if (known === null) return [];
    if (path === rootPath) return (await refresh()).changes;
    const parent = folderIn(known, parentPath(path));
    const found = enter(root, parentPath(path));
    // A parent that appeared or vanished is itself what changed.
    if (parent === undefined || found.kind !== 'folder') {
      if (found.kind === 'folder' || found.kind === 'file') await closing(found, async () => undefined);
      return look(parentPath(path));
    }
    const scan = startScan();
    const [before, was] = [sizeOf(parent, nameOf(path)), size];
    size = null;
    await closing(found, () => rescanChild(scan, found, nameOf(path), parent));
    const after = sizeOf(parent, nameOf(path));
    if (was !== null)
      size = {
        bytes: was.bytes + after.bytes - before.bytes,
        files: was.files + after.files - before.files,
      };
    const isElsewhere = (copy: ConflictCopy): boolean =>
      copy.path !== path && !copy.path.startsWith(`${path}/`);
    copies = [...copies.filter(isElsewhere), ...scan.copies];
    store.save(scan.changes);
    return scan.changes;
  };

  return {
    contents: () => scanning(async () => known ?? (await refresh()).contents),
    refresh: () => scanning(async () => (await refresh()).changes),
    changed: (path) => scanning(() => look(path)),
    async recordOf(path, file) {
      const remembered = store.find(path);
      if (remembered !== undefined && isCurrent(remembered, file.stats)) return remembered;
      const record = await recordFile(nameOf(path), file, clock());
      store.save([{ path, record }]);
      return record;
    },
    remembered: store.find,
    async linking(names) {
      const contents = await scanning(async () => known ?? (await refresh()).contents);
      return store.linking(names) ?? [...filePathsBelow(contents)].filter(isText);
    },
    size: () =>
      scanning(async () => {
        const contents = known ?? (await refresh()).contents;
        return (size ??= sizeBelow(contents));
      }),
    skipped: () => skipped,
    conflictCopies: () => copies,
  };
}

/** Of one name in a folder. */
function sizeOf({ files, folders }: FolderEntry, name: string): VaultSize {
  const [file, folder] = [files.get(name), folders.get(name)];
  if (file !== undefined) return { bytes: file.size, files: 1 };
  return folder === undefined ? { bytes: 0, files: 0 } : sizeBelow(folder);
}

function sizeBelow(folder: FolderEntry): VaultSize {
  const size = { bytes: 0, files: 0 };
  for (const { entry } of filesBelow(folder)) {
    size.bytes += entry.size;
    size.files += 1;
  }
  return size;
}

function isText(path: VaultPath): boolean {
  return kindOf(nameOf(path)) === 'markdown';
}

/** Files whose whole folder vanished while nobody was looking. */
function goneFolders(store: CatalogueStore, contents: FolderEntry): CatalogueChange[] {
  const gone = store.folders().filter((path) => folderIn(contents, path) === undefined);
  return gone.flatMap((path) =>
    [...store.filesIn(path).keys()].map((name) => ({ path: childPath(path, name), record: null })),
  );
}
