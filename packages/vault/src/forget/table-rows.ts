import type { Database } from 'better-sqlite3';
import type { ForgetPassage } from '../contract/index.ts';
import type { DescribeText, Redactor } from './redactor.ts';

type Cell = string | number | bigint | Buffer | null;
export type Row = Record<string, Cell>;

/** A table with text or bytes, and how its rows are identified. */
export type Table = { name: string; columns: string[]; key: string[] };

type ColumnInfo = { name: string; type: string; pk: number };

/** The tables that store values themselves; virtual tables and their shadow tables are maintained by SQLite. */
export function listTables(database: Database): Table[] {
  const tables = database
    .prepare(
      `select name, wr from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
    )
    .all() as { name: string; wr: number }[];
  return tables.map(({ name, wr }) => {
    const columns = database
      .prepare('select name, type, pk from pragma_table_info(?)')
      .all(name) as ColumnInfo[];
    const primary = columns.filter(({ pk }) => pk > 0).map((column) => column.name);
    return {
      name,
      columns: columns.filter(({ type }) => !/^(?:integer|real)$/i.test(type)).map((column) => column.name),
      key: wr === 1 ? primary : ['rowid'],
    };
  });
}

/** The keys of the rows that contain the words. Only keys are kept, because the contents may not fit in memory together. */
export function findRows(database: Database, { name, columns, key }: Table, redactor: Redactor): Row[] {
  if (columns.length === 0) return [];
  const keys: Row[] = [];
  const selectedKeys = key.map((each, index) => `${quote(each)} as key${index}`);
  const rows = database
    .prepare(`select ${[...selectedKeys, ...columns.map(quote)].join(', ')} from ${quote(name)}`)
    .iterate();
  for (const row of rows as Iterable<Row>)
    if (columns.some((column) => matchesCell(row[column] ?? null, redactor)))
      keys.push(Object.fromEntries(key.map((_, index) => [`key${index}`, row[`key${index}`] ?? null])));
  return keys;
}

export function readRow(database: Database, table: Table, key: Row): Row {
  return database.prepare(`select * from ${quote(table.name)} where ${whereKey(table)}`).get(key) as Row;
}

export function updateRow(database: Database, table: Table, key: Row, values: Row): void {
  const names = Object.keys(values);
  if (names.length === 0) return;
  const assignments = names.map((name) => `${quote(name)} = @${name}`).join(', ');
  database
    .prepare(`update ${quote(table.name)} set ${assignments} where ${whereKey(table)}`)
    .run({ ...values, ...key });
}

export function deleteRow(database: Database, table: Table, key: Row): void {
  database.prepare(`delete from ${quote(table.name)} where ${whereKey(table)}`).run(key);
}

function whereKey({ key }: Table): string {
  return key.map((each, index) => `${quote(each)} = @key${index}`).join(' and ');
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function matchesCell(cell: Cell, redactor: Redactor): boolean {
  if (Buffer.isBuffer(cell)) return redactor.matchesBytes(cell);
  if (typeof cell !== 'string') return false;
  const json = parseJson(cell);
  return redactor.matches(cell) || (json !== undefined && matchesJson(json, redactor));
}

/** In JSON, characters can be escaped. */
export function matchesJson(value: unknown, redactor: Redactor): boolean {
  if (typeof value === 'string') return redactor.matches(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, each]) => redactor.matches(name) || matchesJson(each, redactor));
}

/** The passages with the words in a value of unknown meaning. */
export function describeCell(cell: Cell, describe: DescribeText): ForgetPassage[] {
  if (Buffer.isBuffer(cell)) return describe(cell);
  if (typeof cell !== 'string') return [];
  const json = parseJson(cell);
  return json === undefined ? describe(cell) : describeJson(json, describe);
}

export function describeJson(value: unknown, describe: DescribeText): ForgetPassage[] {
  if (typeof value === 'string') return describe(value);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((each) => describeJson(each, describe));
}

/** Redacts a value of unknown meaning: JSON by its strings, bytes and other text as such. */
export function redactCell(cell: Cell, redactor: Redactor): Cell {
  if (Buffer.isBuffer(cell)) return redactor.redactBytes(cell);
  if (typeof cell !== 'string') return cell;
  const json = parseJson(cell);
  return json === undefined ? redactor.redactValue(cell) : JSON.stringify(redactor.redactJson(json));
}

/** Undefined if the text is not a JSON object or list. */
export function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
