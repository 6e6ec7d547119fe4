import { fstatSync } from 'node:fs';
import { createBufferSource, createFileSource, readPrefixSync } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import type { Catalogue } from './catalogue.ts';
import { suggestPath } from './suggest-path.ts';
import { maxInMemoryBytes } from './file-record.ts';
import type { FolderEntry } from './file-record.ts';
import { isTransientFile, icloudPlaceholderName } from './transient-files.ts';
import { createLayoutReader } from './layout-reader.ts';
import { resolveCaseOnDisk } from './case-on-disk.ts';
import { closeAfter, openPath, lstatChild, readNames } from './open-path.ts';
import type { OpenFile, OpenFolder, VaultRoot } from './open-path.ts';
import { fileKindOf } from './file-kind.ts';
import type { FileKind } from './file-kind.ts';
import type { Layout } from './layout.ts';
import { computeTextStatsOf } from './text-stats.ts';
import { childPath, baseName, nameProblem, parentPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { formatBytes } from './render/format-quantities.ts';
import type { Revision } from './revision.ts';
import { maxTextBytes } from './decode-text.ts';
import { parseNoteMarks, readNoteMarks } from './note-marks.ts';
import type { NoteMarks } from './note-marks.ts';
import { readTaskGroups } from './tasks.ts';
import type { NoteTasks, TaskGroups } from './tasks.ts';
import { walkFilePaths } from './walk-files.ts';

/** An entry of the view, valid while it is open. */
export type ViewEntry =
  | ViewFile
  | { kind: 'folder'; path: VaultPath; files: VaultPath[] }
  | { kind: 'missing' }
  | { kind: 'refused'; reason: string };

export type ViewFile = {
  kind: 'file';
  path: VaultPath;
  fileKind: FileKind;
  source: ByteSource;
  /** Lines, tokens and revision of the whole file; null when it is not text. */
  measure: () => Promise<{ lines: number; tokens: number; revision: Revision } | null>;
  /** Set if no one may write to the file on disk. */
  isReadOnly?: true;
};

/** The whole content at a path, or why it cannot be read. */
type ReadResult =
  | { kind: 'file'; bytes: Buffer }
  | { kind: 'folder'; files: VaultPath[] }
  | { kind: 'missing' }
  | { kind: 'refused'; reason: string };

/** The vault as tools see it. It has no methods that write, so a holder of a view cannot change files. */
export type VaultView = {
  /**
   * Opens the entry, passes it to `use` and closes it. If the file changed in the meantime, `use` runs again on the new content,
   * so it must have no side effects.
   */
  withEntry<Value>(path: VaultPath, use: (viewed: ViewEntry) => Promise<Value>): Promise<Value>;
  /** Reads a whole file; refuses files over the limit (default 20 MB), which have to be read in pieces with `withEntry`. */
  read(path: VaultPath, maxBytes?: number): Promise<ReadResult>;
  /** The whole vault as last scanned; the given path is rescanned first. */
  contents(refreshPath?: VaultPath): Promise<FolderEntry>;
  /** Finds notes, as last scanned, that contain a link with one of these keys (see `linkKey`). */
  findLinkingNotes(names: ReadonlySet<string>): Promise<VaultPath[]>;
  /** A group of the tasks of all notes, as last scanned (see `parseTaskGroups`). */
  findTasks(group: keyof TaskGroups): Promise<NoteTasks[]>;
  /** The notes that have tags or are pinned, as last scanned. */
  findMarks(): Promise<NoteMarks[]>;
  /** The roles of the files. */
  layout: () => Layout;
  /** The path with the capitals that it has on a disk that ignores case; what does not exist is left as it is. */
  resolveCase: (path: VaultPath) => VaultPath;
  /** Suggests an existing file for a wrong path. */
  suggestPath(path: VaultPath): Promise<VaultPath | null>;
};

/** Creates a view from the methods that differ between views. */
export function createViewFrom({
  withEntry,
  contents,
  findLinkingNotes,
  findTasks,
  findMarks,
  layout,
  resolveCase,
}: Omit<VaultView, 'read' | 'suggestPath'>): VaultView {
  return {
    withEntry,
    contents,
    findLinkingNotes,
    findTasks,
    findMarks,
    layout,
    resolveCase,
    read: (path, maxBytes = maxTextBytes) => withEntry(path, (viewed) => readWhole(viewed, maxBytes)),
    suggestPath: async (path) => suggestPath(await contents(path), path),
  };
}

async function readWhole(viewed: ViewEntry, maxBytes: number): Promise<ReadResult> {
  if (viewed.kind !== 'file') return viewed;
  const { source } = viewed;
  if (source.size > maxBytes)
    return { kind: 'refused', reason: `it is ${formatBytes(source.size)}, over ${formatBytes(maxBytes)}` };
  return { kind: 'file', bytes: await source.read(0, source.size) };
}

const maxReadAttempts = 5;

export function createView(root: VaultRoot, catalogue: Catalogue): VaultView {
  const view: VaultView = createViewFrom({
    async contents(refreshPath) {
      if (refreshPath !== undefined) await catalogue.refreshPath(refreshPath);
      return catalogue.contents();
    },
    findLinkingNotes: (names) => catalogue.findLinkingNotes(names),
    findTasks: async (group) => (await catalogue.findTasks(group)) ?? readTasksOfAllNotes(view, group),
    findMarks: async () => (await catalogue.findMarks()) ?? readMarksOfAllNotes(view),
    layout: createLayoutReader(root),
    resolveCase: (path) => resolveCaseOnDisk(root, path),
    async withEntry(path, use) {
      for (let attempt = 1; attempt <= maxReadAttempts; attempt += 1) {
        const found = openPath(root, path);
        if (found.kind === 'missing' && (await isOffloaded(root, path))) return use(refusedNotDownloaded);
        if (found.kind === 'missing' || found.kind === 'refused') return use(found);
        if (found.kind === 'folder')
          return closeAfter(found, () => use({ kind: 'folder', path, files: listFiles(found, path) }));
        const outcome = await closeAfter(found, async () => {
          const value = await use(await viewFile(catalogue, path, found));
          return isUnchanged(found) ? { value } : null;
        });
        if (outcome !== null) return outcome.value;
      }
      return use({
        kind: 'refused',
        reason: 'the file keeps changing; try again when the other program has finished',
      });
    },
  });
  return view;
}

async function readTasksOfAllNotes(view: VaultView, group: keyof TaskGroups): Promise<NoteTasks[]> {
  const found: NoteTasks[] = [];
  for (const path of walkFilePaths(await view.contents())) {
    if (fileKindOf(baseName(path)) !== 'markdown') continue;
    const tasks = await view.withEntry(path, async (viewed) =>
      viewed.kind === 'file' ? (await readTaskGroups(viewed.source))[group] : [],
    );
    if (tasks.length > 0) found.push({ path, tasks });
  }
  return found;
}

async function readMarksOfAllNotes(view: VaultView): Promise<NoteMarks[]> {
  const found: NoteMarks[] = [];
  for (const path of walkFilePaths(await view.contents())) {
    if (fileKindOf(baseName(path)) !== 'markdown') continue;
    const read = await view.read(path, maxInMemoryBytes);
    const marks = read.kind === 'file' ? parseNoteMarks(read.bytes.toString()) : '';
    if (marks !== '') found.push(readNoteMarks(path, marks));
  }
  return found;
}

const refusedNotDownloaded = {
  kind: 'refused',
  reason: 'the sync service has not downloaded this file; download it first',
} as const;

async function isOffloaded(root: VaultRoot, path: VaultPath): Promise<boolean> {
  const folder = openPath(root, parentPath(path));
  if (folder.kind !== 'folder' && folder.kind !== 'file') return false;
  return closeAfter(
    folder,
    async () =>
      folder.kind === 'folder' && lstatChild(folder, icloudPlaceholderName(baseName(path))) !== undefined,
  );
}

async function viewFile(catalogue: Catalogue, path: VaultPath, file: OpenFile): Promise<ViewFile> {
  const onDisk = createFileSource(file.fd, file.stats.size);
  const isSmall = file.stats.size <= maxInMemoryBytes;
  const source = isSmall ? createBufferSource(await readAll(file, onDisk)) : onDisk;
  const fileKind = fileKindOf(baseName(path));
  return {
    kind: 'file',
    path,
    fileKind,
    source,
    ...((file.stats.mode & 0o222) === 0 && { isReadOnly: true }),
    async measure() {
      if (isSmall || fileKind !== 'markdown') return computeTextStatsOf(source);
      const { lines, tokens, revision } = await catalogue.getRecord(path, file);
      return lines === null || tokens === null || revision === null ? null : { lines, tokens, revision };
    },
  };
}

/** Small files are read synchronously, which is faster than scheduling an asynchronous read. */
const maxSyncReadBytes = 64 * 1024;

async function readAll({ fd, stats }: OpenFile, source: ByteSource): Promise<Buffer> {
  return stats.size <= maxSyncReadBytes ? readPrefixSync(fd, stats.size) : source.read(0, stats.size);
}

function isUnchanged({ fd, stats }: OpenFile): boolean {
  const now = fstatSync(fd);
  return now.size === stats.size && now.mtimeMs === stats.mtimeMs && now.ctimeMs === stats.ctimeMs;
}

/** Lists the files directly in a folder, sorted by name. */
function listFiles(folder: OpenFolder, path: VaultPath): VaultPath[] {
  const names = readNames(folder).filter(
    (name) =>
      nameProblem(name) === null && !isTransientFile(name) && lstatChild(folder, name)?.isFile() === true,
  );
  return [...new Set(names.map((name) => name.normalize('NFC')))]
    .toSorted()
    .map((name) => childPath(path, name));
}
