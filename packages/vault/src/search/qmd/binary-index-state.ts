import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { createBinaryVectors, maxComparisons } from './hamming.ts';
import type { BinaryVectors } from './hamming.ts';
import { createUint32List, binarySearch } from './uint32-list.ts';
import type { Uint32List } from './uint32-list.ts';
import { CorruptIndexError } from './index-error.ts';

/** Number of rows read before yielding to the event loop. */
const rowsPerPage = 5_000;

/** The part of the vector table that has been read into memory; entries are only appended. */
export type BinaryIndexState = {
  /** The size of a vector as a binary code, in bytes. */
  bytesPerVector: number;
  codes: BinaryVectors | null;
  /** For each table row, its id and the position of its first code. */
  rows: { ids: Uint32List; starts: Uint32List };
  /** For each chunk, its id, its position in `rows`, its file and its date. */
  chunks: { ids: Uint32List; rows: Uint32List; files: Uint32List; days: string[] };
  /** Interns date strings, because many chunks share a date. */
  days: Map<string, string>;
  /** The last row and chunk that have been read. */
  last: Newest;
};

export function createEmptyState(): BinaryIndexState {
  return {
    bytesPerVector: 0,
    codes: null,
    rows: { ids: createUint32List(), starts: createUint32List() },
    chunks: { ids: createUint32List(), rows: createUint32List(), files: createUint32List(), days: [] },
    days: new Map(),
    last: { row: 0, chunk: 0 },
  };
}

/** Whether deleted entries make up about a fifth of the state. */
export function needsRebuild(
  { rows, chunks }: BinaryIndexState,
  now: { rows: number; chunks: number },
): boolean {
  return rows.ids.length() > 1.2 * now.rows + 1_000 || chunks.ids.length() > 1.2 * now.chunks + 1_000;
}

/** Reads new rows, then new chunks, then older chunks whose vectors are new. Ignores rows that are added meanwhile. */
export async function loadNewRows(state: BinaryIndexState, read: BinaryIndexStatements): Promise<void> {
  const { last } = state;
  const newest = read.newest();
  for await (const [after, to] of pages(last.row, newest.row))
    for (const row of read.rows.all({ after, to }) as CodeRow[]) addRow(state, row);
  for await (const [after, to] of pages(last.chunk, newest.chunk))
    for (const each of read.chunks.all({ after, to, newestRow: newest.row }) as ChunkRow[])
      addChunk(state, each);
  for await (const [after, to] of pages(last.row, newest.row))
    for (const each of read.chunksOfRows.all({ after, to, lastChunk: last.chunk }) as ChunkRow[])
      addChunk(state, each);
  state.last = newest;
}

async function* pages(after: number, last: number): AsyncGenerator<[after: number, to: number]> {
  for (let start = after; start < last; start += rowsPerPage) {
    yield [start, Math.min(start + rowsPerPage, last)];
    await setImmediate();
  }
}

function addRow(state: BinaryIndexState, { id, windows, codes }: CodeRow): void {
  const width = codes instanceof Uint8Array ? codes.length / windows : Number.NaN;
  // SQLite may read a damaged page without an error.
  const isCode = width > 0 && width % 8 === 0 && windows <= maxComparisons;
  if (!isCode || (state.codes !== null && width !== state.bytesPerVector))
    throw new CorruptIndexError('invalid vector codes');
  if (state.codes === null) {
    state.bytesPerVector = width;
    state.codes = createBinaryVectors(width);
  }
  state.rows.ids.push(id);
  state.rows.starts.push(state.codes.count());
  state.codes.add(codes);
}

function addChunk({ rows, chunks, days }: BinaryIndexState, { id, file, day, row }: ChunkRow): void {
  const place = binarySearch(row, rows.ids.all());
  // The row was deleted while the pages were being read.
  if (place === -1) return;
  const known = days.get(day) ?? day;
  days.set(known, known);
  chunks.ids.push(id);
  chunks.rows.push(place);
  chunks.files.push(file);
  chunks.days.push(known);
}

type Newest = { row: number; chunk: number };
type CodeRow = { id: number; windows: number; codes: Uint8Array };
type ChunkRow = { id: number; file: number; day: string; row: number };
export type BinaryIndexStatements = ReturnType<typeof prepareStatements>;

export function prepareStatements(database: Database, table: string) {
  const version = database
    .prepare(`select data_version || ' ' || total_changes() from pragma_data_version`)
    .pluck();
  const number = (sql: string) => {
    const statement = database.prepare(sql).pluck();
    return () => Number(statement.get());
  };
  const [newestRow, newestChunk] = [
    number(`select coalesce(max(id), 0) from ${table}`),
    number('select coalesce(max(id), 0) from keepsake_sections'),
  ];
  const [rows, chunks] = [
    number(`select count(*) from ${table}`),
    number('select count(*) from keepsake_sections'),
  ];
  return {
    /** Changes with every write to the index, by this process or another. */
    version: () => String(version.get()),
    newest: (): Newest => ({ row: newestRow(), chunk: newestChunk() }),
    counts: () => ({ rows: rows(), chunks: chunks() }),
    rows: database.prepare(
      `select id, windows, codes from ${table} where id > @after and id <= @to order by id`,
    ),
    chunks: database.prepare(
      `select s.id, s.file, s.day, v.id as row
       from keepsake_sections s join documents d on d.id = s.id join ${table} v on v.hash = d.hash
       where s.id > @after and s.id <= @to and v.id <= @newestRow`,
    ),
    chunksOfRows: database.prepare(
      `select s.id, s.file, s.day, v.id as row
       from ${table} v join documents d on d.hash = v.hash join keepsake_sections s on s.id = d.id
       where v.id > @after and v.id <= @to and s.id <= @lastChunk`,
    ),
  };
}
