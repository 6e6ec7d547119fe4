import { fstatSync } from 'node:fs';
import { bytesSource, fileSource, readStart } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import type { Catalogue } from './catalogue.ts';
import { closestPath } from './closest.ts';
import { readAtOnce } from './entry.ts';
import type { FolderEntry } from './entry.ts';
import { isForeignFile, placeholderOf } from './foreign-names.ts';
import { layoutReader } from './layout-reader.ts';
import { closing, enter, lstatChild, namesIn } from './jail.ts';
import type { OpenFile, OpenFolder, VaultRoot } from './jail.ts';
import { kindOf } from './kind.ts';
import type { FileKind } from './kind.ts';
import type { Layout } from './layout.ts';
import { measureSource } from './measure.ts';
import { childPath, nameOf, nameProblem, parentPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { showBytes } from './render/quantities.ts';
import type { Revision } from './revision.ts';
import { largestText } from './text.ts';

/** What is at a path, for as long as it is being looked at. */
export type Viewed =
  | ViewedFile
  | { kind: 'folder'; path: VaultPath; files: VaultPath[] }
  | { kind: 'missing' }
  | { kind: 'refused'; reason: string };

export type ViewedFile = {
  kind: 'file';
  path: VaultPath;
  fileKind: FileKind;
  source: ByteSource;
  /** Lines, tokens and revision of the whole file; null when it is not text. */
  measure(): Promise<{ lines: number; tokens: number; revision: Revision } | null>;
};

/** All bytes of what is at a path, or why they cannot be had. */
type WholeFile =
  | { kind: 'file'; bytes: Buffer }
  | { kind: 'folder'; files: VaultPath[] }
  | { kind: 'missing' }
  | { kind: 'refused'; reason: string };

/** The vault as tools see it. It has no way to write: what holds only a view can change nothing. */
export type VaultView = {
  /**
   * Opens what is at the path, hands it to `use` and closes it. When the file was written meanwhile, `use` runs
   * again on what is there then, so it must only read.
   */
  look<Value>(path: VaultPath, use: (viewed: Viewed) => Promise<Value>): Promise<Value>;
  /** More than `most` bytes, 20 MB unless something else is said, are refused: those are looked at piece by piece. */
  read(path: VaultPath, most?: number): Promise<WholeFile>;
  /** Everything as last seen; what is at `fresh` is looked at again. */
  contents(fresh?: VaultPath): Promise<FolderEntry>;
  /** The texts that may link to others by one of these names (`linkName`), as last seen. */
  linking(names: ReadonlySet<string>): Promise<VaultPath[]>;
  /** What its files are for. */
  layout: () => Layout;
  /** An existing file that a wrong path probably meant. */
  closest(path: VaultPath): Promise<VaultPath | null>;
};

/** A view from the things in which views differ: what is at a path, what there is, what links to what, and what files are for. */
export function viewOf({
  look,
  contents,
  linking,
  layout,
}: Pick<VaultView, 'look' | 'contents' | 'linking' | 'layout'>): VaultView {
  return {
    look,
    contents,
    linking,
    layout,
    read: (path, most = largestText) => look(path, (viewed) => readWhole(viewed, most)),
    closest: async (path) => closestPath(await contents(path), path),
  };
}

async function readWhole(viewed: Viewed, most: number): Promise<WholeFile> {
  if (viewed.kind !== 'file') return viewed;
  const { source } = viewed;
  if (source.size > most)
    return { kind: 'refused', reason: `it is ${showBytes(source.size)}, over ${showBytes(most)}` };
  return { kind: 'file', bytes: await source.read(0, source.size) };
}

const attempts = 5;

export function createView(root: VaultRoot, catalogue: Catalogue): VaultView {
  return viewOf({
    async contents(fresh) {
      if (fresh !== undefined) await catalogue.changed(fresh);
      return catalogue.contents();
    },
    linking: (names) => catalogue.linking(names),
    layout: layoutReader(root),
    async look(path, use) {
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const found = enter(root, path);
        if (found.kind === 'missing' && (await isAwaited(root, path))) return use(notHereYet);
        if (found.kind === 'missing' || found.kind === 'refused') return use(found);
        if (found.kind === 'folder')
          return closing(found, () => use({ kind: 'folder', path, files: filesIn(found, path) }));
        const outcome = await closing(found, async () => {
          const value = await use(await viewFile(catalogue, path, found));
          return isUntouched(found) ? { value } : null;
        });
        if (outcome !== null) return outcome.value;
      }
      return use({
        kind: 'refused',
        reason: 'it is being written all the time; try again when that has stopped',
      });
    },
  });
}

const notHereYet = {
  kind: 'refused',
  reason: 'it is not on this machine yet; a sync service keeps it elsewhere: have it downloaded first',
} as const;

async function isAwaited(root: VaultRoot, path: VaultPath): Promise<boolean> {
  const folder = enter(root, parentPath(path));
  if (folder.kind !== 'folder' && folder.kind !== 'file') return false;
  return closing(
    folder,
    async () => folder.kind === 'folder' && lstatChild(folder, placeholderOf(nameOf(path))) !== undefined,
  );
}

async function viewFile(catalogue: Catalogue, path: VaultPath, file: OpenFile): Promise<ViewedFile> {
  const onDisk = fileSource(file.fd, file.stats.size);
  const isSmall = file.stats.size <= readAtOnce;
  const source = isSmall ? bytesSource(await readAll(file, onDisk)) : onDisk;
  const fileKind = kindOf(nameOf(path));
  return {
    kind: 'file',
    path,
    fileKind,
    source,
    async measure() {
      if (isSmall || fileKind !== 'markdown') return measureSource(source);
      const { lines, tokens, revision } = await catalogue.recordOf(path, file);
      return lines === null || tokens === null || revision === null ? null : { lines, tokens, revision };
    },
  };
}

/** Few bytes are read faster than they could be waited for; opening the file was not waited for, either. */
const notWaitedFor = 64 * 1024;

async function readAll({ fd, stats }: OpenFile, source: ByteSource): Promise<Buffer> {
  return stats.size <= notWaitedFor ? readStart(fd, stats.size) : source.read(0, stats.size);
}

function isUntouched({ fd, stats }: OpenFile): boolean {
  const now = fstatSync(fd);
  return now.size === stats.size && now.mtimeMs === stats.mtimeMs && now.ctimeMs === stats.ctimeMs;
}

/** The files directly in a folder, in the order of their names. */
function filesIn(folder: OpenFolder, path: VaultPath): VaultPath[] {
  const names = namesIn(folder).filter(
    (name) =>
      nameProblem(name) === null && !isForeignFile(name) && lstatChild(folder, name)?.isFile() === true,
  );
  return [...new Set(names.map((name) => name.normalize('NFC')))]
    .toSorted()
    .map((name) => childPath(path, name));
}
