import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { inTurn } from '../../contract/index.ts';
import { isInTime } from '../in-time.ts';
import type { Filter } from '../section-index.ts';
import { createCodes, mostCompared } from './hamming.ts';
import type { Codes } from './hamming.ts';
import type { KnownFiles } from './known-files.ts';
import { UnusableIndex } from './unusable-index.ts';
import { codeOf, createFit } from './vector-code.ts';

/** The codes of all vectors of a table, in memory, with the sections they belong to. */
export type CodeMatrix = {
  /** The sections whose codes fit a vector best; some of them may be gone. */
  nearest(vector: Float32Array, filter: Filter, count: number): Promise<number[]>;
};

type Parts = { database: Database; table: string; known: Pick<KnownFiles, 'all'> };

/** Rows read, and codes compared, before others are served. */
const page = 5_000;
const comparedAtOnce = 8 * mostCompared;
/** How many times as many sections as are wanted are sought by distance, to choose from with more care. */
const choice = 10;

/**
 * Read once, then only what is new: rows of the table and sections only ever get higher ids. What is gone stays until it
 * is a fifth of all; whoever reads the sections found does not find it any more.
 */
export function createCodeMatrix(parts: Parts): CodeMatrix {
  const read = prepare(parts);
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

type State = {
  /** Bytes of a code. */
  width: number;
  codes: Codes | null;
  /** Of each row of the table its id, and its first code. */
  rows: { ids: Numbers; starts: Numbers };
  /** Of each section its id, its row above, its file and its day. */
  sections: { ids: Numbers; rows: Numbers; files: Numbers; days: string[] };
  /** Each day once, for there are many sections of each. */
  days: Map<string, string>;
  /** Everything up to here has been read. */
  last: Newest;
};

function emptyState(): State {
  return {
    width: 0,
    codes: null,
    rows: { ids: createNumbers(), starts: createNumbers() },
    sections: { ids: createNumbers(), rows: createNumbers(), files: createNumbers(), days: [] },
    days: new Map(),
    last: { row: 0, section: 0 },
  };
}

function isWorn({ rows, sections }: State, now: { rows: number; sections: number }): boolean {
  return rows.ids.length() > 1.2 * now.rows + 1_000 || sections.ids.length() > 1.2 * now.sections + 1_000;
}

/** Rows, then the new sections, then those that were there before their row was. Nothing that comes meanwhile. */
async function readNew(state: State, read: Read): Promise<void> {
  const { last } = state;
  const newest = read.newest();
  for await (const [after, to] of pages(last.row, newest.row))
    for (const row of read.rows.all({ after, to }) as CodeRow[]) addRow(state, row);
  for await (const [after, to] of pages(last.section, newest.section))
    for (const each of read.sections.all({ after, to, newestRow: newest.row }) as SectionRow[])
      addSection(state, each);
  for await (const [after, to] of pages(last.row, newest.row))
    for (const each of read.sectionsOfRows.all({ after, to, lastSection: last.section }) as SectionRow[])
      addSection(state, each);
  state.last = newest;
}

async function* pages(after: number, last: number): AsyncGenerator<[after: number, to: number]> {
  for (let start = after; start < last; start += page) {
    yield [start, Math.min(start + page, last)];
    await setImmediate();
  }
}

function addRow(state: State, { id, windows, codes }: CodeRow): void {
  const width = codes instanceof Uint8Array ? codes.length / windows : Number.NaN;
  // A damaged page may be read without an error.
  const isCode = width > 0 && width % 8 === 0 && windows <= mostCompared;
  if (!isCode || (state.codes !== null && width !== state.width)) throw new UnusableIndex('no codes');
  if (state.codes === null) {
    state.width = width;
    state.codes = createCodes(width);
  }
  state.rows.ids.push(id);
  state.rows.starts.push(state.codes.count());
  state.codes.add(codes);
}

function addSection({ rows, sections, days }: State, { id, file, day, row }: SectionRow): void {
  const place = placeOf(row, rows.ids.all());
  // Its row was removed between two pages.
  if (place === -1) return;
  const known = days.get(day) ?? day;
  days.set(known, known);
  sections.ids.push(id);
  sections.rows.push(place);
  sections.files.push(file);
  sections.days.push(known);
}

/** Whole numbers in one piece of memory, which is read fast. */
type Numbers = { push(number: number): void; length(): number; all(): Uint32Array };

function createNumbers(): Numbers {
  let [numbers, length] = [new Uint32Array(1_024), 0];
  return {
    push(number) {
      if (length === numbers.length) {
        const more = new Uint32Array(2 * length);
        more.set(numbers);
        numbers = more;
      }
      numbers[length++] = number;
    },
    length: () => length,
    all: () => numbers.subarray(0, length),
  };
}

/** Where a number stands among ascending ones; -1 when it does not. */
function placeOf(number: number, among: Uint32Array): number {
  let [low, high] = [0, among.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((among[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return among[low] === number ? low : -1;
}

/** Of each row how far its nearest code is. */
async function distancesOf({ rows }: State, codes: Codes, code: Uint8Array): Promise<Uint16Array> {
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
function wantedOf(known: Parts['known'], filter: Filter, { sections }: State): Wanted {
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
  { sections, width }: State,
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
  state: State,
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

type Newest = { row: number; section: number };
type CodeRow = { id: number; windows: number; codes: Uint8Array };
type SectionRow = { id: number; file: number; day: string; row: number };
type Read = ReturnType<typeof prepare>;

function prepare({ database, table }: Parts) {
  const version = database
    .prepare(`select data_version || ' ' || total_changes() from pragma_data_version`)
    .pluck();
  const number = (sql: string) => {
    const statement = database.prepare(sql).pluck();
    return () => Number(statement.get());
  };
  const [newestRow, newestSection] = [
    number(`select coalesce(max(id), 0) from ${table}`),
    number('select coalesce(max(id), 0) from keepsake_sections'),
  ];
  const [rows, sections] = [
    number(`select count(*) from ${table}`),
    number('select count(*) from keepsake_sections'),
  ];
  return {
    /** Changes with every change to the index, be it by this process or by another one. */
    version: () => String(version.get()),
    newest: (): Newest => ({ row: newestRow(), section: newestSection() }),
    counts: () => ({ rows: rows(), sections: sections() }),
    rows: database.prepare(
      `select id, windows, codes from ${table} where id > @after and id <= @to order by id`,
    ),
    sections: database.prepare(
      `select s.id, s.file, s.day, v.id as row
       from keepsake_sections s join documents d on d.id = s.id join ${table} v on v.hash = d.hash
       where s.id > @after and s.id <= @to and v.id <= @newestRow`,
    ),
    sectionsOfRows: database.prepare(
      `select s.id, s.file, s.day, v.id as row
       from ${table} v join documents d on d.hash = v.hash join keepsake_sections s on s.id = d.id
       where v.id > @after and v.id <= @to and s.id <= @lastSection`,
    ),
  };
}
