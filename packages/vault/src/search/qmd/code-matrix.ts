import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { inTurn } from '../../contract/index.ts';
import { isInTime } from '../in-time.ts';
import type { Filter } from '../section-index.ts';
import { emptyState, isWorn, prepareReading, readNew } from './code-state.ts';
import type { CodeState } from './code-state.ts';
import { mostCompared } from './hamming.ts';
import type { Codes } from './hamming.ts';
import type { KnownFiles } from './known-files.ts';
import { codeOf, createFit } from './vector-code.ts';

/** The codes of all vectors of a table, in memory, with the sections they belong to. */
export type CodeMatrix = {
  /** The sections whose codes fit a vector best; some of them may be gone. */
  nearest(vector: Float32Array, filter: Filter, count: number): Promise<number[]>;
};

type Parts = { database: Database; table: string; known: Pick<KnownFiles, 'all'> };

/** Codes compared before others are served. */
const comparedAtOnce = 8 * mostCompared;
/** How many times as many sections as are wanted are sought by distance, to choose from with more care. */
const choice = 10;

/**
 * Read once, then only what is new: rows of the table and sections only ever get higher ids. What is gone stays until it
 * is a fifth of all; whoever reads the sections found does not find it any more.
 */
export function createCodeMatrix(parts: Parts): CodeMatrix {
  const read = prepareReading(parts.database, parts.table);
  const turn = inTurn();
  let state = emptyState();
  let seenVersion: string | null = null;

  const refresh = async (): Promise<void> => {
    const version = read.version();
    if (version === seenVersion) return;
    try {
      // A table that was dropped and made anew begins with low ids again.
      if (isWorn(state, read.counts()) || read.newest().row < state.last.row) state = emptyState();
      await readNew(state, read);
      seenVersion = version;
    } catch (error) {
      state = emptyState();
      seenVersion = null;
      throw error;
    }
  };
  return {
    nearest: (vector, filter, count) =>
      turn(async () => {
        await refresh();
        if (state.codes === null) return [];
        const distances = await distancesOf(state, state.codes, codeOf(vector));
        const near = leastOf(state, distances, wantedOf(parts.known, filter, state), choice * count);
        return fittingBest(state, state.codes, near, vector)
          .slice(0, count)
          .map((section) => state.sections.ids.all()[section] as number);
      }),
  };
}

/** Of each row how far its nearest code is. */
async function distancesOf({ rows }: CodeState, codes: Codes, code: Uint8Array): Promise<Uint16Array> {
  const starts = rows.starts.all();
  const nearest = new Uint16Array(starts.length);
  for (let row = 0, compared = 0; row < starts.length;) {
    const first = starts[row] as number;
    const distances = codes.distances(code, first, Math.min(mostCompared, codes.count() - first));
    row = leastOfRows(distances, starts, row, nearest);
    compared += distances.length;
    if (compared < comparedAtOnce) continue;
    compared = 0;
    await setImmediate();
  }
  return nearest;
}

/** Notes the least distance of each row that is whole among these, the first of which is that row's; gives the next row. */
function leastOfRows(distances: Uint16Array, starts: Uint32Array, row: number, nearest: Uint16Array): number {
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

type Wanted = ((section: number) => boolean) | null;

/** Null when all sections are. */
function wantedOf(known: Parts['known'], filter: Filter, { sections }: CodeState): Wanted {
  const { isInScope, from, to } = filter;
  if (isInScope === null && from === null && to === null) return null;
  const updated = new Map<number, string>();
  for (const [path, file] of known.all())
    if (isInScope === null || isInScope(path)) updated.set(file.id, file.updated);
  const [files, { days }] = [sections.files.all(), sections];
  return (section) => {
    const ofFile = updated.get(files[section] as number);
    return ofFile !== undefined && isInTime({ day: days[section] || null, updated: ofFile }, filter);
  };
}

/** So many sections whose distances are the least. */
function leastOf(
  { sections, width }: CodeState,
  distances: Uint16Array,
  isWanted: Wanted,
  count: number,
): number[] {
  const rows = sections.rows.all();
  const far = 8 * width + 1;
  const own = new Uint16Array(rows.length);
  const counts = new Uint32Array(far + 1);
  for (let section = 0; section < own.length; section += 1) {
    const isOut = isWanted !== null && !isWanted(section);
    const distance = isOut ? far : (distances[rows[section] as number] as number);
    own[section] = distance;
    counts[distance] = (counts[distance] as number) + 1;
  }
  let [limit, nearer] = [0, 0];
  while (limit < far && nearer + (counts[limit] as number) <= count) nearer += counts[limit++] as number;
  /** Of those at the limit only some. */
  let left = limit < far ? count - nearer : 0;
  const found: number[] = [];
  for (let section = 0; section < own.length; section += 1) {
    const distance = own[section] as number;
    if (distance < limit || (distance === limit && left-- > 0)) found.push(section);
  }
  return found;
}

/** The sections again, those first of which one code fits best. */
function fittingBest(
  state: CodeState,
  codes: Codes,
  sections: readonly number[],
  vector: Float32Array,
): number[] {
  const fitOf = createFit(vector);
  const [bytes, rows, starts] = [codes.all(), state.sections.rows.all(), state.rows.starts.all()];
  const fits = sections.map((section) => {
    const row = rows[section] as number;
    const end = starts[row + 1] ?? codes.count();
    let fit = -Infinity;
    for (let code = starts[row] as number; code < end; code += 1)
      fit = Math.max(fit, fitOf(bytes, code * state.width));
    return { section, fit };
  });
  return fits.toSorted((a, b) => b.fit - a.fit).map(({ section }) => section);
}
