import type { Clock } from '../contract/index.ts';
import {
  createBufferSource,
  childPath,
  fileKindOf,
  extractLinkKeys,
  parseNoteMarks,
  parseTaskGroups,
  readNoteMarks,
  computeTextStats,
  baseName,
  parentPath,
  pathSegments,
  rootPath,
  createViewFrom,
} from '../vault/index.ts';
import type {
  FileEntry,
  FolderEntry,
  NoteMarks,
  NoteTasks,
  TaskGroups,
  VaultPath,
  VaultView,
  ViewEntry,
  ViewFile,
} from '../vault/index.ts';

/** Staged files: their new bytes, or null for deleted ones. */
export type StagedFiles = {
  files: ReadonlyMap<VaultPath, { after: Buffer | null }>;
  removedFolders: ReadonlySet<VaultPath>;
};

/** A view of the vault as it will be after the staged changes are applied. */
export function createOverlayView(base: VaultView, staged: StagedFiles, clock: Clock): VaultView {
  return createViewFrom({
    layout: base.layout,
    resolveCase: base.resolveCase,
    contents: async (fresh) => stagedContents(await base.contents(fresh), staged, clock()),
    async findLinkingNotes(names) {
      const onDisk = (await base.findLinkingNotes(names)).filter((path) => !staged.files.has(path));
      return [...onDisk, ...stagedLinking(staged, names)];
    },
    async findTasks(group) {
      const onDisk = (await base.findTasks(group)).filter(({ path }) => !staged.files.has(path));
      return [...onDisk, ...stagedTasks(staged, group)];
    },
    async findMarks() {
      const onDisk = (await base.findMarks()).filter(({ path }) => !staged.files.has(path));
      return [...onDisk, ...stagedMarks(staged)];
    },
    withEntry(path, use) {
      const file = staged.files.get(path);
      if (file !== undefined)
        return use(file.after === null ? { kind: 'missing' } : stagedFile(path, file.after));
      const below = stagedIn(staged, path);
      if (below.length === 0 && isRemoved(staged, path)) return use({ kind: 'missing' });
      return base.withEntry(path, (viewed) => use(withStaged(viewed, path, staged, below)));
    },
  });
}

function withStaged(viewed: ViewEntry, path: VaultPath, staged: StagedFiles, below: VaultPath[]): ViewEntry {
  const isFolder = viewed.kind === 'folder';
  if (!isFolder && (viewed.kind !== 'missing' || below.length === 0)) return viewed;
  const direct = below.filter((file) => parentPath(file) === path);
  const onDisk = isFolder ? viewed.files.filter((file) => !staged.files.has(file)) : [];
  return { kind: 'folder', path, files: [...onDisk, ...direct].toSorted() };
}

function stagedFile(path: VaultPath, bytes: Buffer): ViewFile {
  return {
    kind: 'file',
    path,
    fileKind: fileKindOf(baseName(path)),
    source: createBufferSource(bytes),
    measure: () => Promise.resolve(computeTextStats(bytes)),
  };
}

/** Staged files that will exist somewhere below a folder. */
function stagedIn({ files }: StagedFiles, folder: VaultPath): VaultPath[] {
  return [...files].flatMap(([path, { after }]) =>
    after !== null && path.startsWith(`${folder}/`) ? [path] : [],
  );
}

/** Staged notes that contain a link with one of these keys. */
function stagedLinking({ files }: StagedFiles, names: ReadonlySet<string>): VaultPath[] {
  return [...files].flatMap(([path, { after }]) =>
    after !== null &&
    fileKindOf(baseName(path)) === 'markdown' &&
    !extractLinkKeys(after).isDisjointFrom(names)
      ? [path]
      : [],
  );
}

function stagedTasks({ files }: StagedFiles, group: keyof TaskGroups): NoteTasks[] {
  return [...files].flatMap(([path, { after }]) =>
    after !== null && fileKindOf(baseName(path)) === 'markdown'
      ? [{ path, tasks: parseTaskGroups(after.toString())[group] }]
      : [],
  );
}

function stagedMarks({ files }: StagedFiles): NoteMarks[] {
  return [...files].flatMap(([path, { after }]) => {
    const marks =
      after !== null && fileKindOf(baseName(path)) === 'markdown' ? parseNoteMarks(after.toString()) : '';
    return marks === '' ? [] : [readNoteMarks(path, marks)];
  });
}

function isRemoved({ removedFolders }: StagedFiles, path: VaultPath): boolean {
  for (let at = path; at !== rootPath; at = parentPath(at)) if (removedFolders.has(at)) return true;
  return false;
}

/** The catalogue with the staged files added. Only folders on the path to them are copied. */
function stagedContents(
  contents: FolderEntry,
  { files, removedFolders }: StagedFiles,
  now: number,
): FolderEntry {
  const copied = new Map<VaultPath, FolderEntry>();
  const copyOf = (path: VaultPath, original: FolderEntry | undefined): FolderEntry => {
    const copy = { path, folders: new Map(original?.folders), files: new Map(original?.files) };
    copied.set(path, copy);
    return copy;
  };
  const root = copyOf(rootPath, contents);
  const folderFor = (path: VaultPath): FolderEntry => {
    let folder = root;
    for (const name of pathSegments(path)) {
      const at = childPath(folder.path, name);
      const child = copied.get(at) ?? copyOf(at, folder.folders.get(name));
      folder.folders.set(name, child);
      folder = child;
    }
    return folder;
  };
  for (const path of removedFolders)
    if (!isRemoved({ files, removedFolders }, parentPath(path)))
      folderFor(parentPath(path)).folders.delete(baseName(path));
  for (const [path, { after }] of files) {
    if (after !== null) folderFor(parentPath(path)).files.set(baseName(path), stagedEntry(path, after, now));
    else if (!isRemoved({ files, removedFolders }, path))
      folderFor(parentPath(path)).files.delete(baseName(path));
  }
  return root;
}

function stagedEntry(path: VaultPath, bytes: Buffer, now: number): FileEntry {
  const measure = fileKindOf(baseName(path)) === 'markdown' ? computeTextStats(bytes) : null;
  return {
    size: bytes.length,
    mtime: now,
    ctime: null,
    tokens: measure?.tokens ?? null,
    updated: measure?.updated ?? null,
  };
}
