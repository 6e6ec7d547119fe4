import type { Embedder } from '../models/index.ts';
import type { IsExcluded, ChunkIndex, VectorTable } from './chunk-index.ts';
import { splitIntoWindows } from './windows.ts';

export type EmbeddingOptions = {
  /** Called with the number of chunks embedded so far and the number to embed. */
  onProgress?: (done: number, total: number) => void;
  isExcluded?: IsExcluded | null;
  signal?: AbortSignal;
  throttle?: EmbeddingThrottle;
};

/** Limits the size and rate of calls to the model. */
export type EmbeddingThrottle = {
  /** Maximum number of texts in the next call. */
  maxBatchSize(): number;
  /** Called after each call with its duration in milliseconds; the next call starts when the promise resolves. */
  afterBatch(took: number): Promise<void>;
};

const chunkBatchSize = 16;
/** Calls that take longer than this are aborted. */
const embeddingTimeoutMs = 300_000;
const noThrottle: EmbeddingThrottle = { maxBatchSize: () => Infinity, afterBatch: async () => undefined };

/** Embeds all visible chunks that have no vectors from this model. Returns the number of embedded chunks. */
export async function embedMissingChunks(
  index: ChunkIndex,
  embedder: Embedder,
  { onProgress, isExcluded = null, signal, throttle = noThrottle }: EmbeddingOptions = {},
): Promise<number> {
  const table = index.vectors(embedder.fingerprint);
  const total = table.countWithoutVectors(isExcluded);
  let done = 0;
  const next = () => table.chunksWithoutVectors(chunkBatchSize, isExcluded);
  for (let batch = next(); batch.length > 0; batch = next()) {
    await embedBatch(batch, { table, embedder, throttle, signal });
    done += batch.length;
    onProgress?.(done, Math.max(done, total));
  }
  if (table.lastError() !== null) table.setLastError(null);
  // The old vectors are dropped last, so that the user can switch back until the vectors of the new model are complete.
  if (done > 0) table.dropOtherModels();
  return done;
}

type BatchOptions = {
  table: VectorTable;
  embedder: Embedder;
  throttle: EmbeddingThrottle;
  signal: AbortSignal | undefined;
};

/** Stores each chunk as soon as all its vectors are complete, so that an interrupted batch keeps its progress. */
async function embedBatch(
  batch: readonly { hash: string; text: string }[],
  { table, embedder, throttle, signal }: BatchOptions,
): Promise<void> {
  const waiting = batch.map(({ hash, text }) => ({ hash, texts: textsOf(text, embedder) }));
  const texts = waiting.flatMap((each) => each.texts);
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length;) {
    const some = texts.slice(start, start + throttle.maxBatchSize());
    const since = performance.now();
    const late = AbortSignal.timeout(embeddingTimeoutMs);
    const embedded = await embedder.embed(some, 'document', signal ? AbortSignal.any([signal, late]) : late);
    const took = performance.now() - since;
    vectors.push(...embedded);
    start += some.length;
    for (let first = waiting[0]; first && vectors.length >= first.texts.length; first = waiting[0]) {
      table.put(first.hash, vectors.splice(0, first.texts.length));
      waiting.shift();
    }
    await throttle.afterBatch(took);
    signal?.throwIfAborted();
  }
}

function textsOf(text: string, embedder: Embedder): string[] {
  const end = text.indexOf('\n');
  return splitIntoWindows(text.slice(0, end), text.slice(end + 1), embedder).map((window) => window.text);
}
