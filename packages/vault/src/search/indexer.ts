import { createLimiter, formatLocalTime } from '../contract/index.ts';
import {
  parseChangelog,
  childPath,
  decodeText,
  findFile,
  walkFiles,
  maxTextBytes,
  parseConflictMarkers,
} from '../vault/index.ts';
import type {
  Catalogue,
  FileEntry,
  FolderEntry,
  Layout,
  Revision,
  VaultPath,
  VaultView,
} from '../vault/index.ts';
import { computeLayoutKey } from './chunk-index.ts';
import type { IndexedFile, ChunkIndex } from './chunk-index.ts';
import { chunkImage, chunkFile } from './chunker.ts';
import type { Chunk } from './chunker.ts';

/** Keeps the index up to date with the files. */
export type Indexer = {
  /** Compares all files with the index and indexes those that differ. */
  reconcile(onProgress?: (done: number, total: number) => void): Promise<IndexStats>;
  /** Indexes files whose changes the catalogue already contains. */
  update(paths: readonly VaultPath[]): Promise<IndexStats>;
  /** Like `update`, but rescans the files first because the catalogue missed their changes. */
  reindexStale(paths: readonly VaultPath[]): Promise<IndexStats>;
  /**
   * When all files were last compared, in milliseconds; null before that, and after the vault's layout names change.
   */
  lastReconciledAt(): number | null;
};

export type IndexStats = { files: number; sections: number };

type IndexerDependencies = { index: ChunkIndex; catalogue: Catalogue; view: VaultView; clock: () => number };
type FileIndexPlan = { file: IndexedFile; chunks: Chunk[] | 'same'; replacesIn?: Set<VaultPath> };

/**
 * Files of a batch are read ahead and written in one transaction; small batches keep other writers from waiting long.
 */
const batchLimits = { files: 200, bytes: 4_000_000 };

export function createIndexer({ index, catalogue, view, clock }: IndexerDependencies): Indexer {
  let reconciled: { at: number; layout: string } | null = null;

  /** Serializes batches: content read before another batch commits must not be written after it. */
  const indexing = createLimiter();

  const indexBatch = async (
    paths: readonly VaultPath[],
    entryOf: (path: VaultPath) => FileEntry | undefined,
    indexed: IndexStats,
  ): Promise<number> => {
    const reads: [VaultPath, FileIndexPlan | null][] = [];
    const layout = view.layout();
    for (
      let bytes = 0;
      reads.length < batchLimits.files && reads.length < paths.length && bytes < batchLimits.bytes;
    ) {
      const path = paths[reads.length] as VaultPath;
      const read = await readFile(view, index, path, entryOf(path), layout);
      reads.push([path, read]);
      bytes += read?.file.size ?? 0;
    }
    index.transaction(() => {
      for (const [path, read] of reads) {
        if (read === null) index.remove(path);
        else if (read.chunks === 'same') index.touchFile(path, read.file);
        else indexed.sections += index.upsertFile(path, read.file, read.chunks, read.replacesIn).added;
        if (read?.chunks !== 'same') indexed.files += 1;
      }
    });
    return reads.length;
  };

  const indexFiles = async (
    paths: readonly VaultPath[],
    entryOf: (path: VaultPath) => FileEntry | undefined,
    onProgress: (done: number) => void,
  ): Promise<IndexStats> => {
    const indexed = { files: 0, sections: 0 };
    for (let start = 0; start < paths.length;) {
      start += await indexing(() =>
        indexBatch(paths.slice(start, start + batchLimits.files), entryOf, indexed),
      );
      onProgress(start);
    }
    return indexed;
  };

  const update = async (paths: readonly VaultPath[]): Promise<IndexStats> => {
    const contents = await catalogue.contents();
    return indexFiles(
      [...new Set(paths)].filter(view.layout().isSearchable),
      (path) => findFile(contents, path),
      () => undefined,
    );
  };

  return {
    lastReconciledAt: () => (reconciled?.layout === computeLayoutKey(view.layout()) ? reconciled.at : null),
    async reconcile(onProgress = () => undefined) {
      const now = clock();
      await catalogue.refresh();
      const layout = view.layout();
      const key = computeLayoutKey(layout);
      if (index.layout() !== key) await indexing(async () => index.resetForLayout(key));
      const present = searchableFiles(await catalogue.contents(), layout);
      const changed = [...present].flatMap(([path, entry]) =>
        isUnchanged(index.files().get(path), entry) ? [] : [path],
      );
      const gone = [...index.files().keys()].filter((path) => !present.has(path));
      const all = [...changed, ...gone];
      const indexed = await indexFiles(
        all,
        (path) => present.get(path),
        (done) => onProgress(done, all.length),
      );
      reconciled = { at: now, layout: key };
      return indexed;
    },
    update,
    async reindexStale(paths) {
      for (const path of paths) await catalogue.refreshPath(path);
      return update(paths);
    },
  };
}

function isUnchanged(indexed: IndexedFile | undefined, entry: FileEntry): boolean {
  if (indexed === undefined || entry.ctime === null) return false;
  return indexed.ctime === entry.ctime && indexed.mtime === entry.mtime && indexed.size === entry.size;
}

function searchableFiles(contents: FolderEntry, { isSearchable }: Layout): Map<VaultPath, FileEntry> {
  const found = new Map<VaultPath, FileEntry>();
  for (const { folder, name, entry } of walkFiles(contents)) {
    const path = childPath(folder, name);
    if (isSearchable(path)) found.set(path, entry);
  }
  return found;
}

/** Only the name of an image is indexed; its content is read when it is shown. */
const noRevision = '' as Revision;

/** Null if the path holds no indexable file. */
function readFile(
  view: VaultView,
  index: ChunkIndex,
  path: VaultPath,
  entry: FileEntry | undefined,
  layout: Layout,
): Promise<FileIndexPlan | null> {
  return view.withEntry(path, async (viewed) => {
    if (viewed.kind !== 'file' || entry === undefined) return null;
    if (viewed.fileKind === 'image')
      return { file: indexedFile(entry, noRevision), chunks: [chunkImage(path, layout)] };
    if (viewed.source.size > maxTextBytes) return null;
    const measure = await viewed.measure();
    if (measure === null) return null;
    const file = indexedFile(entry, measure.revision);
    if (index.files().get(path)?.revision === measure.revision) return { file, chunks: 'same' };
    const decoded = decodeText(await viewed.source.read(0, viewed.source.size));
    if (decoded.kind !== 'text') return null;
    // A file with unresolved git conflict markers is not indexed, because neither side is known to be valid.
    if (parseConflictMarkers(decoded.text).length > 0) return { file, chunks: [] };
    const chunks = chunkFile(path, decoded.text, layout);
    return { file, chunks, replacesIn: replacesIn(path, decoded.text, layout) };
  });
}

function replacesIn(path: VaultPath, text: string, { isChangelog }: Layout): Set<VaultPath> {
  const entries = isChangelog(path) ? parseChangelog(text) : [];
  return new Set(entries.flatMap(({ replaces }) => replaces.map((named) => named.path)));
}

function indexedFile({ size, mtime, ctime, updated }: FileEntry, revision: Revision): IndexedFile {
  return { revision, size, mtime, ctime, updated: updated ?? formatLocalTime(mtime) };
}
