import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { createLimiter } from '../../contract/index.ts';
import { isInDateRange } from '../date-filter.ts';
import type { SearchFilter } from '../chunk-index.ts';
import { createEmptyState, needsRebuild, prepareStatements, loadNewRows } from './binary-index-state.ts';
import type { BinaryIndexState } from './binary-index-state.ts';
import { maxComparisons } from './hamming.ts';
import type { BinaryVectors } from './hamming.ts';
import type { FileTable } from './file-table.ts';
import { quantize, createAsymmetricScorer } from './binary-quantization.ts';

/** In-memory index of the binary codes of all vectors of a table and the chunks they belong to. */
export type BinaryIndex = {
  /** Ids of the chunks whose codes match the vector best; some of them may have been deleted since. */
  nearest(vector: Float32Array, filter: SearchFilter, count: number): Promise<number[]>;
};

type BinaryIndexDependencies = { database: Database; table: string; known: Pick<FileTable, 'all'> };

/** Number of codes compared before yielding to the event loop. */
const comparisonsPerTick = 8 * maxComparisons;
/**
 * Oversampling factor: this many times the requested number of chunks are selected by Hamming distance and then
 * rescored more precisely.
 */
const oversampling = 10;

/**
 * Reads all codes once and afterwards only new ones, because ids of rows and chunks only increase. Deleted rows stay
 * until they are a fifth of the total; a caller that reads the returned chunks does not find deleted ones.
 */
export function createBinaryIndex(parts: BinaryIndexDependencies): BinaryIndex {
  const read = prepareStatements(parts.database, parts.table);
  const turn = createLimiter();
  let state = createEmptyState();
  let seenVersion: string | null = null;

  const refresh = async (): Promise<void> => {
    const version = read.version();
    if (version === seenVersion) return;
    try {
      // A table that was dropped and recreated starts again with low ids.
      if (needsRebuild(state, read.counts()) || read.newest().row < state.last.row)
        state = createEmptyState();
      await loadNewRows(state, read);
      seenVersion = version;
    } catch (error) {
      state = createEmptyState();
      seenVersion = null;
      throw error;
    }
  };
  return {
    nearest: (vector, filter, count) =>
      turn(async () => {
        await refresh();
        if (state.codes === null) return [];
        const distances = await hammingDistances(state, state.codes, quantize(vector));
        const near = selectNearest(
          state,
          distances,
          chunkPredicate(parts.known, filter, state),
          oversampling * count,
        );
        return rescore(state, state.codes, near, vector)
          .slice(0, count)
          .map((chunk) => state.chunks.ids.all()[chunk] as number);
      }),
  };
}

/** For each row, the distance of its nearest code. */
async function hammingDistances(
  { rows }: BinaryIndexState,
  codes: BinaryVectors,
  code: Uint8Array,
): Promise<Uint16Array> {
  const starts = rows.starts.all();
  const nearest = new Uint16Array(starts.length);
  for (let row = 0, compared = 0; row < starts.length;) {
    const first = starts[row] as number;
    const distances = codes.distances(code, first, Math.min(maxComparisons, codes.count() - first));
    row = minDistancePerRow(distances, starts, row, nearest);
    compared += distances.length;
    if (compared < comparisonsPerTick) continue;
    compared = 0;
    await setImmediate();
  }
  return nearest;
}

/**
 * Stores the minimum distance of each row that is completely within `distances`, starting with `row`. Returns the
 * next row.
 */
function minDistancePerRow(
  distances: Uint16Array,
  starts: Uint32Array,
  row: number,
  nearest: Uint16Array,
): number {
  const first = starts[row] as number;
  const rows = starts.length;
  let [next, place] = [row, 0];
  for (; next < rows; next += 1) {
    const end = next + 1 < rows ? (starts[next + 1] as number) - first : distances.length;
    if (end > distances.length) break;
    let least = 65_535;
    for (; place < end; place += 1)
      if ((distances[place] as number) < least) least = distances[place] as number;
    nearest[next] = least;
  }
  return next;
}

type ChunkPredicate = ((chunk: number) => boolean) | null;

/** Null if the filter matches all chunks. */
function chunkPredicate(
  known: BinaryIndexDependencies['known'],
  filter: SearchFilter,
  { chunks }: BinaryIndexState,
): ChunkPredicate {
  const { isInScope, from, to } = filter;
  if (isInScope === null && from === null && to === null) return null;
  const updated = new Map<number, string>();
  for (const [path, file] of known.all())
    if (isInScope === null || isInScope(path)) updated.set(file.id, file.updated);
  const [files, { days }] = [chunks.files.all(), chunks];
  return (chunk) => {
    const ofFile = updated.get(files[chunk] as number);
    return ofFile !== undefined && isInDateRange({ day: days[chunk] || null, updated: ofFile }, filter);
  };
}

/** Selects the `count` chunks with the smallest distances. */
function selectNearest(
  { chunks, bytesPerVector }: BinaryIndexState,
  distances: Uint16Array,
  isWanted: ChunkPredicate,
  count: number,
): number[] {
  const rows = chunks.rows.all();
  const far = 8 * bytesPerVector + 1;
  const own = new Uint16Array(rows.length);
  const counts = new Uint32Array(far + 1);
  for (let chunk = 0; chunk < own.length; chunk += 1) {
    const isOut = isWanted !== null && !isWanted(chunk);
    const distance = isOut ? far : (distances[rows[chunk] as number] as number);
    own[chunk] = distance;
    counts[distance] = (counts[distance] as number) + 1;
  }
  let [limit, nearer] = [0, 0];
  while (limit < far && nearer + (counts[limit] as number) <= count) nearer += counts[limit++] as number;
  /** Number of chunks to take at exactly the limit distance. */
  let left = limit < far ? count - nearer : 0;
  const found: number[] = [];
  for (let chunk = 0; chunk < own.length; chunk += 1) {
    const distance = own[chunk] as number;
    if (distance < limit || (distance === limit && left-- > 0)) found.push(chunk);
  }
  return found;
}

/** Sorts the chunks by their best asymmetric score, best first. */
function rescore(
  state: BinaryIndexState,
  codes: BinaryVectors,
  chunks: readonly number[],
  vector: Float32Array,
): number[] {
  const fitOf = createAsymmetricScorer(vector);
  const [bytes, rows, starts] = [codes.all(), state.chunks.rows.all(), state.rows.starts.all()];
  const fits = chunks.map((chunk) => {
    const row = rows[chunk] as number;
    const end = starts[row + 1] ?? codes.count();
    let fit = -Infinity;
    for (let code = starts[row] as number; code < end; code += 1)
      fit = Math.max(fit, fitOf(bytes, code * state.bytesPerVector));
    return { chunk, fit };
  });
  return fits.toSorted((a, b) => b.fit - a.fit).map(({ chunk }) => chunk);
}
