import { setImmediate } from 'node:timers/promises';
import { createLimiter, formatLocalTime } from '../contract/index.ts';
import { fileKindOf, maxTextBytes } from '../vault/index.ts';
import type { FileEntry, Layout, Revision, VaultPath, VaultView } from '../vault/index.ts';
import { chunkBytes } from './chunk-bytes.ts';
import type { FileChunks } from './chunk-bytes.ts';
import { chunkInWorker } from './chunk-in-worker.ts';
import type { IndexedFile, ChunkIndex } from './chunk-index.ts';
import { chunkImage } from './chunker.ts';
import type { Chunk } from './chunker.ts';
import { createSlicedWriter } from './sliced-writer.ts';

export type IndexStats = { files: number; sections: number };

/** The state of a file in the catalogue; undefined if the file does not exist. */
export type EntryOf = (path: VaultPath) => FileEntry | undefined;

/** Reads files and writes them to the index, without blocking the event loop for long. */
export type FileIndexer = {
  /** Indexes files in batches. Calls `onProgress` with the number of files done. */
  indexFiles(
    paths: readonly VaultPath[],
    entryOf: EntryOf,
    onProgress?: (done: number) => void,
  ): Promise<IndexStats>;
  /** Indexes one large file; other files can be indexed meanwhile. A later change of the file supersedes it. */
  indexLargeFile(path: VaultPath, entryOf: EntryOf): Promise<IndexStats>;
  /** Writes the chunks of a document. */
  writeDocument(path: VaultPath, file: IndexedFile, chunks: Chunk[]): Promise<void>;
  /** Merges the parts of the full-text index, step by step. */
  mergeWords(): Promise<void>;
  /** Marks all files for reindexing under this layout, which supersedes unfinished work. */
  resetForLayout(layout: string): Promise<void>;
  /** The files that are being written in slices or wait for it. */
  unfinished(): ReadonlyMap<VaultPath, unknown>;
};

type FileIndexPlan = { file: IndexedFile; content: FileChunks | 'same' };

/**
 * Files of a batch are read ahead and written in one transaction; small batches keep other work from waiting long. A file
 * with more chunks is written in slices.
 */
const batchLimits = { files: 200, chunks: 50 };
/** Larger files are split in a worker, one at a time. */
const maxBatchedBytes = 1_000_000;

/** Only the name of an image is indexed, whatever its size. */
export function isLargeFile(path: VaultPath, entry: FileEntry | undefined): boolean {
  return entry !== undefined && entry.size > maxBatchedBytes && fileKindOf(path) !== 'image';
}

export function createFileIndexer(index: ChunkIndex, view: VaultView): FileIndexer {
  /** Serializes batches: content read before another batch commits must not be written after it. */
  const indexing = createLimiter();
  const slices = createSlicedWriter(index, indexing);
  const runLarge = createLimiter();

  const writePlan = (path: VaultPath, plan: FileIndexPlan | null): number => {
    if (plan === null) index.remove(path);
    else if (plan.content === 'same') index.touchFile(path, plan.file);
    else return index.upsertFile(path, plan.file, plan.content.chunks, plan.content.replacesIn).added;
    return 0;
  };

  const writeInSlices = async (
    path: VaultPath,
    plan: FileIndexPlan | null,
    signal: AbortSignal,
  ): Promise<number> => {
    if (plan !== null && plan.content !== 'same') return slices.write(path, plan.file, plan.content, signal);
    return indexing(async () => (signal.aborted ? 0 : index.transaction(() => writePlan(path, plan))));
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
    slices.run(path, undefined, (signal, start) => {
      start();
      return writeInSlices(path, plan, signal);
    });

  return {
    unfinished: () => slices.unfinished(),
    resetForLayout: (layout) =>
      indexing(async () => {
        slices.cancel();
        index.resetForLayout(layout);
      }),
    async mergeWords() {
      let step: 'start' | 'continue' = 'start';
      while (await indexing(async () => index.mergeWords(step))) {
        step = 'continue';
        await setImmediate();
      }
    },
    async writeDocument(path, file, chunks) {
      await writeLong(path, { file, content: { chunks, replacesIn: new Set() } });
    },
    async indexFiles(paths, entryOf, onProgress = () => undefined) {
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
    },
    async indexLargeFile(path, entryOf) {
      const indexed = { files: 0, sections: 0 };
      indexed.sections = await slices.run(path, entryOf(path), (signal, start) =>
        runLarge(async () => {
          if (signal.aborted) return 0;
          start();
          const layout = view.layout();
          const plan = await readFile(view, index, path, entryOf(path), layout, (_path, bytes) =>
            chunkInWorker({ path, bytes, names: layout.names }),
          );
          indexed.files = plan?.content === 'same' ? 0 : 1;
          return writeInSlices(path, plan, signal);
        }),
      );
      return indexed;
    },
  };
}

/** Splits values into those for which the predicate is false, and the others. */
export function partition<Value>(
  values: Iterable<Value>,
  isSecond: (value: Value) => boolean,
): [Value[], Value[]] {
  const parts: [Value[], Value[]] = [[], []];
  for (const value of values) parts[isSecond(value) ? 1 : 0].push(value);
  return parts;
}

function chunkCount(plan: FileIndexPlan | null): number {
  return plan === null || plan.content === 'same' ? 0 : plan.content.chunks.length;
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

export function indexedFile({ size, mtime, ctime, updated }: FileEntry, revision: Revision): IndexedFile {
  return { revision, size, mtime, ctime, updated: updated ?? formatLocalTime(mtime) };
}
