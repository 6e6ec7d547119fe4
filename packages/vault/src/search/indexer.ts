import { createLimiter, formatLocalTime } from '../contract/index.ts';
import { childPath, fileKindOf, findFile, walkFiles, maxTextBytes } from '../vault/index.ts';
import type {
  Catalogue,
  FileEntry,
  FolderEntry,
  Layout,
  Revision,
  VaultPath,
  VaultView,
} from '../vault/index.ts';
import { chunkBytes } from './chunk-bytes.ts';
import type { FileChunks } from './chunk-bytes.ts';
import { chunkInWorker } from './chunk-in-worker.ts';
import { computeLayoutKey } from './chunk-index.ts';
import type { IndexedFile, ChunkIndex } from './chunk-index.ts';
import { chunkImage } from './chunker.ts';
import { createSlicedWriter } from './sliced-writer.ts';

/** Keeps the index up to date with the files. */
export type Indexer = {
  /** Compares all files with the index and indexes those that differ. */
  reconcile(onProgress?: (done: number, total: number) => void): Promise<IndexStats>;
  /**
   * Indexes files whose changes the catalogue already contains. Files over 1 MB continue in the background after this
   * returns; an error of theirs is thrown by the next call, which also retries them.
   */
  update(paths: readonly VaultPath[]): Promise<IndexStats>;
  /** Like `update`, but rescans the files first because the catalogue missed their changes. */
  reindexStale(paths: readonly VaultPath[]): Promise<IndexStats>;
  /** The files that are being indexed or wait for it. */
  unfinished(): ReadonlyMap<VaultPath, unknown>;
  /**
   * When all files were last compared, in milliseconds; null before that, and after the vault's layout names change.
   */
  lastReconciledAt(): number | null;
};

export type IndexStats = { files: number; sections: number };

type IndexerDependencies = { index: ChunkIndex; catalogue: Catalogue; view: VaultView; clock: () => number };
type FileIndexPlan = { file: IndexedFile; content: FileChunks | 'same' };
type EntryOf = (path: VaultPath) => FileEntry | undefined;

/**
 * Files of a batch are read ahead and written in one transaction; small batches keep other work from waiting long. A file
 * with more chunks is written in slices.
 */
const batchLimits = { files: 200, chunks: 50 };
/** Larger files are split in a worker, one at a time, and `update` does not wait for them. */
const maxAwaitedBytes = 1_000_000;

export function createIndexer({ index, catalogue, view, clock }: IndexerDependencies): Indexer {
  let reconciled: { at: number; layout: string } | null = null;

  /** Serializes batches: content read before another batch commits must not be written after it. */
  const indexing = createLimiter();
  const slices = createSlicedWriter(index, indexing);
  const runLarge = createLimiter();
  const failures = new Map<VaultPath, unknown>();

  const writePlan = (path: VaultPath, plan: FileIndexPlan | null): number => {
    if (plan === null) index.remove(path);
    else if (plan.content === 'same') index.touchFile(path, plan.file);
    else return index.upsertFile(path, plan.file, plan.content.chunks, plan.content.replacesIn).added;
    return 0;
  };

  const indexBatch = async (paths: readonly VaultPath[], entryOf: EntryOf, indexed: IndexStats) => {
    const plans: [VaultPath, FileIndexPlan | null][] = [];
    const layout = view.layout();
    for (let chunks = 0; chunks < batchLimits.chunks && plans.length < paths.length;) {
      const path = paths[plans.length] as VaultPath;
      slices.cancel(path);
      const plan = await readFile(view, index, path, entryOf(path), layout, chunkBytes);
      plans.push([path, plan]);
      chunks += chunkCount(plan);
    }
    // Work that began on a file after it was read here has newer content.
    const current = plans.filter(([path]) => !slices.unfinished().has(path));
    const [short, long] = partition(current, ([, plan]) => chunkCount(plan) > batchLimits.chunks);
    index.transaction(() => {
      for (const [path, plan] of short) indexed.sections += writePlan(path, plan);
    });
    indexed.files += current.filter(([, plan]) => plan?.content !== 'same').length;
    return { count: plans.length, long: long.map(([path, plan]) => writeLong(path, plan)) };
  };

  const writeLong = (path: VaultPath, plan: FileIndexPlan | null): Promise<number> =>
    slices.run(path, undefined, async (signal, start) => {
      start();
      return plan === null || plan.content === 'same'
        ? 0
        : slices.write(path, plan.file, plan.content, signal);
    });

  const indexFiles = async (
    paths: readonly VaultPath[],
    entryOf: EntryOf,
    onProgress: (done: number) => void = () => undefined,
  ): Promise<IndexStats> => {
    const indexed = { files: 0, sections: 0 };
    for (let start = 0; start < paths.length;) {
      const batch = await indexing(() =>
        indexBatch(paths.slice(start, start + batchLimits.files), entryOf, indexed),
      );
      for (const added of await Promise.all(batch.long)) indexed.sections += added;
      start += batch.count;
      onProgress(start);
    }
    return indexed;
  };

  const indexLargeFile = async (path: VaultPath, entryOf: EntryOf): Promise<IndexStats> => {
    const work = (signal: AbortSignal, start: () => void): Promise<number> =>
      runLarge(async () => {
        if (signal.aborted) return 0;
        start();
        const layout = view.layout();
        const plan = await readFile(view, index, path, entryOf(path), layout, (_path, bytes) =>
          chunkInWorker({ path, bytes, names: layout.names }),
        );
        if (plan !== null && plan.content !== 'same')
          return slices.write(path, plan.file, plan.content, signal);
        return indexing(async () => (signal.aborted ? 0 : index.transaction(() => writePlan(path, plan))));
      });
    return { files: 1, sections: await slices.run(path, entryOf(path), work) };
  };

  const update = async (paths: readonly VaultPath[]): Promise<IndexStats> => {
    const contents = await catalogue.contents();
    const entryOf: EntryOf = (path) => findFile(contents, path);
    const wanted = new Set([...paths, ...failures.keys()].filter(view.layout().isSearchable));
    const [failure] = failures.values();
    failures.clear();
    const [small, large] = partition(wanted, (path) => isLarge(path, entryOf(path)));
    for (const path of large)
      void indexLargeFile(path, entryOf).catch((error: unknown) => failures.set(path, error));
    const indexed = await indexFiles(small, entryOf);
    if (failure !== undefined) throw failure;
    return indexed;
  };

  return {
    unfinished: () => slices.unfinished(),
    lastReconciledAt: () => (reconciled?.layout === computeLayoutKey(view.layout()) ? reconciled.at : null),
    async reconcile(onProgress = () => undefined) {
      const now = clock();
      await catalogue.refresh();
      const layout = view.layout();
      const key = computeLayoutKey(layout);
      if (index.layout() !== key)
        await indexing(async () => {
          slices.cancel();
          index.resetForLayout(key);
        });
      const present = searchableFiles(await catalogue.contents(), layout);
      const changed = [...present].flatMap(([path, entry]) =>
        isUnchanged(index.files().get(path), entry) ? [] : [path],
      );
      const gone = [...index.files().keys()].filter((path) => !present.has(path));
      const all = [...changed, ...gone];
      const entryOf: EntryOf = (path) => present.get(path);
      const [small, large] = partition(all, (path) => isLarge(path, entryOf(path)));
      const indexed = await indexFiles(small, entryOf, (done) => onProgress(done, all.length));
      for (const [position, path] of large.entries()) {
        const { files, sections } = await indexLargeFile(path, entryOf);
        indexed.files += files;
        indexed.sections += sections;
        onProgress(small.length + position + 1, all.length);
      }
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

/** Only the name of an image is indexed, whatever its size. */
function isLarge(path: VaultPath, entry: FileEntry | undefined): boolean {
  return entry !== undefined && entry.size > maxAwaitedBytes && fileKindOf(path) !== 'image';
}

function partition<Value>(values: Iterable<Value>, isSecond: (value: Value) => boolean): [Value[], Value[]] {
  const parts: [Value[], Value[]] = [[], []];
  for (const value of values) parts[isSecond(value) ? 1 : 0].push(value);
  return parts;
}

function chunkCount(plan: FileIndexPlan | null): number {
  return plan === null || plan.content === 'same' ? 0 : plan.content.chunks.length;
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

/** Splits the bytes of a file; null if they are not text. */
type SplitFile = (
  path: VaultPath,
  bytes: Buffer,
  layout: Layout,
) => FileChunks | null | Promise<FileChunks | null>;

/** Null if the path holds no indexable file. */
function readFile(
  view: VaultView,
  index: ChunkIndex,
  path: VaultPath,
  entry: FileEntry | undefined,
  layout: Layout,
  split: SplitFile,
): Promise<FileIndexPlan | null> {
  return view.withEntry(path, async (viewed) => {
    if (viewed.kind !== 'file' || entry === undefined) return null;
    if (viewed.fileKind === 'image') {
      const content = { chunks: [chunkImage(path, layout)], replacesIn: new Set<VaultPath>() };
      return { file: indexedFile(entry, noRevision), content };
    }
    if (viewed.source.size > maxTextBytes) return null;
    const measure = await viewed.measure();
    if (measure === null) return null;
    const file = indexedFile(entry, measure.revision);
    if (index.files().get(path)?.revision === measure.revision) return { file, content: 'same' };
    const content = await split(path, await viewed.source.read(0, viewed.source.size), layout);
    return content === null ? null : { file, content };
  });
}

function indexedFile({ size, mtime, ctime, updated }: FileEntry, revision: Revision): IndexedFile {
  return { revision, size, mtime, ctime, updated: updated ?? formatLocalTime(mtime) };
}
