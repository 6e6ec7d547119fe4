import { CsvError, parse } from 'csv-parse/sync';
import type { Options } from 'csv-parse/sync';
import { decodeText, unixLines } from '../markdown/decode-text.ts';
import { markdownTable } from '../markdown/markdown-table.ts';
import type { Converter } from '../port.ts';
import { refuse } from '../refusal.ts';
import { guessDelimiter } from './guess-delimiter.ts';

const mostColumns = 50;

const relaxed: Options = {
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  // A quotation mark that is never closed would make one row of all the rest.
  max_record_size: 1_000_000,
};

/** A table of all its cells as they are written: no number and no date is read. */
export const convertCsv: Converter = async ({ bytes }, { limits }) => {
  const { text: written, warnings } = decodeText(bytes);
  const text = unixLines(written);
  if (text.includes('\0')) return refuse('damaged', 'it is not text: there are NUL characters in it');
  // What spreadsheets put in front to tell each other the delimiter.
  const [told = '', named] = /^sep=(.)\n/.exec(text) ?? [];
  const table = text.slice(told.length);
  const { rows, total, columns, isUnquoted } = readRows(
    table,
    named ?? guessDelimiter(table),
    limits.tableRows,
  );
  if (rows.length === 0) return refuse('empty', 'there is no row in it');
  const kept = 'they are in the original, which is kept';
  if (total > rows.length)
    warnings.push(`Its last ${total - rows.length} rows of ${total} are left out; ${kept}.`);
  if (columns > mostColumns)
    warnings.push(`Its last ${columns - mostColumns} columns of ${columns} are left out; ${kept}.`);
  if (isUnquoted) warnings.push('Its quotation marks do not match, so they are taken as text.');
  return {
    kind: 'converted',
    markdown: markdownTable(rows.map((row) => row.slice(0, mostColumns))),
    images: [],
    metadata: { type: 'csv' },
    warnings,
    attachments: [],
  };
};

type Rows = {
  /** The head and as many rows as there may be. */
  rows: string[][];
  total: number;
  columns: number;
  isUnquoted: boolean;
};

function readRows(text: string, delimiter: string, most: number): Rows {
  let [total, columns] = [0, 0];
  const options: Options = {
    ...relaxed,
    delimiter,
    on_record(record) {
      total += 1;
      columns = Math.max(columns, record.length);
      return total <= most ? record : null;
    },
  };
  try {
    const rows = parse(text, options);
    return { rows, total, columns, isUnquoted: false };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const rows = lines.slice(0, most).map((line) => line.split(delimiter));
    const widest = Math.max(0, ...rows.map((row) => row.length));
    return { rows, total: lines.length, columns: widest, isUnquoted: true };
  }
}
