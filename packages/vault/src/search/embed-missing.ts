import type { Embedder } from '../models/index.ts';
import type { Exclusion, SectionIndex, VectorTable } from './section-index.ts';
import { windowsOf } from './windows.ts';

export type EmbeddingOptions = {
  /** How many of the sections that had no vectors have them now. */
  onProgress?: (done: number, total: number) => void;
  isExcluded?: Exclusion | null;
  signal?: AbortSignal;
  pace?: Pace;
};

/** How much the model is given at once, and when. */
export type Pace = {
  /** The most texts of the next call. */
  texts(): number;
  /** Called after each call, with how long it took in milliseconds; the next waits for it. */
  rest(took: number): Promise<void>;
};

const sectionsAtOnce = 16;
/** A call that takes longer than this will not come back. */
const patience = 300_000;
const fullPace: Pace = { texts: () => Infinity, rest: async () => undefined };

/** Gives vectors to all sections that have none of this model and that it may see; gives how many there were. */
export async function embedMissing(
  index: SectionIndex,
  embedder: Embedder,
  { onProgress, isExcluded = null, signal, pace = fullPace }: EmbeddingOptions = {},
): Promise<number> {
  const table = index.vectors(embedder.fingerprint);
  const total = table.missingCount(isExcluded);
  let done = 0;
  const next = () => table.missing(sectionsAtOnce, isExcluded);
  for (let batch = next(); batch.length > 0; batch = next()) {
    await embedBatch(batch, { table, embedder, pace, signal });
    done += batch.length;
    onProgress?.(done, Math.max(done, total));
  }
  if (table.problem() !== null) table.setProblem(null);
  // Only now: until the new model knows everything, the old one may be chosen again.
  if (done > 0) table.dropOthers();
  return done;
}

type Parts = { table: VectorTable; embedder: Embedder; pace: Pace; signal: AbortSignal | undefined };

/** What is complete is put at once: of a batch that breaks off, as much as can be is kept. */
async function embedBatch(
  batch: readonly { hash: string; text: string }[],
  { table, embedder, pace, signal }: Parts,
): Promise<void> {
  const waiting = batch.map(({ hash, text }) => ({ hash, texts: textsOf(text, embedder) }));
  const texts = waiting.flatMap((each) => each.texts);
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length;) {
    const some = texts.slice(start, start + pace.texts());
    const since = performance.now();
    const late = AbortSignal.timeout(patience);
    const given = await embedder.embed(some, 'document', signal ? AbortSignal.any([signal, late]) : late);
    const took = performance.now() - since;
    vectors.push(...given);
    start += some.length;
    for (let first = waiting[0]; first && vectors.length >= first.texts.length; first = waiting[0]) {
      table.put(first.hash, vectors.splice(0, first.texts.length));
      waiting.shift();
    }
    await pace.rest(took);
    signal?.throwIfAborted();
  }
}

function textsOf(text: string, embedder: Embedder): string[] {
  const end = text.indexOf('\n');
  return windowsOf(text.slice(0, end), text.slice(end + 1), embedder).map((window) => window.text);
}
