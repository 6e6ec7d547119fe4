import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { createCodes, mostCompared } from './hamming.ts';
import type { Codes } from './hamming.ts';
import { createNumbers, placeOf } from './numbers.ts';
import type { Numbers } from './numbers.ts';
import { UnusableIndex } from './unusable-index.ts';

/** Rows read before others are served. */
const page = 5_000;

/** What is known of the table; everything in it only grows. */
export type CodeState = {
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

export function emptyState(): CodeState {
  return {
    width: 0,
    codes: null,
    rows: { ids: createNumbers(), starts: createNumbers() },
    sections: { ids: createNumbers(), rows: createNumbers(), files: createNumbers(), days: [] },
    days: new Map(),
    last: { row: 0, section: 0 },
  };
}

/** Whether a fifth of it is of what is gone. */
export function isWorn({ rows, sections }: CodeState, now: { rows: number; sections: number }): boolean {
  return rows.ids.length() > 1.2 * now.rows + 1_000 || sections.ids.length() > 1.2 * now.sections + 1_000;
}

/** Rows, then the new sections, then those that were there before their row was. Nothing that comes meanwhile. */
export async function readNew(state: CodeState, read: ReadCodes): Promise<void> {
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

function addRow(state: CodeState, { id, windows, codes }: CodeRow): void {
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

function addSection({ rows, sections, days }: CodeState, { id, file, day, row }: SectionRow): void {
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

type Newest = { row: number; section: number };
type CodeRow = { id: number; windows: number; codes: Uint8Array };
type SectionRow = { id: number; file: number; day: string; row: number };
export type ReadCodes = ReturnType<typeof prepareReading>;

export function prepareReading(database: Database, table: string) {
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
