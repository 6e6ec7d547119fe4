import { CsvError, parse } from 'csv-parse/sync';
import type { Options } from 'csv-parse/sync';
import { decodeText, normalizeLineEndings } from '../markdown/decode-text.ts';
import { markdownTable } from '../markdown/markdown-table.ts';
import type { Converter } from '../document.ts';
import { refuse } from '../rejection.ts';
import { guessDelimiter } from './guess-delimiter.ts';

const maxColumns = 50;

const relaxed: Options = {
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  // An unclosed quotation mark would turn the rest of the file into one row.
  max_record_size: 1_000_000,
};

/** Converts to a table with all cells as written: numbers and dates are not interpreted. */
export const convertCsv: Converter = async ({ bytes }, { limits }) => {
  const { text: written, warnings } = decodeText(bytes);
  const text = normalizeLineEndings(written);
  if (text.includes('\0')) return refuse('damaged', 'not a text file: it contains NUL characters');
  // Spreadsheet programs declare the delimiter in this first line.
  const [declaration = '', named] = /^sep=(.)\n/.exec(text) ?? [];
  const table = text.slice(declaration.length);
  const { rows, total, columns, isUnquoted } = readRows(
    table,
    named ?? guessDelimiter(table),
    limits.tableRows,
  );
  if (rows.length === 0) return refuse('empty', 'the file contains no rows');
  const note = 'the original is kept';
  if (total > rows.length)
    warnings.push(`The last ${total - rows.length} of ${total} rows were omitted; ${note}.`);
  if (columns > maxColumns)
    warnings.push(`The last ${columns - maxColumns} of ${columns} columns were omitted; ${note}.`);
  if (isUnquoted) warnings.push('Unbalanced quotation marks were treated as text.');
  return {
    kind: 'converted',
    markdown: markdownTable(rows.map((row) => row.slice(0, maxColumns))),
    images: [],
    metadata: { type: 'csv' },
    warnings,
    attachments: [],
  };
};

type Rows = {
  /** The head and the rows within the limit. */
  rows: string[][];
  total: number;
  columns: number;
  isUnquoted: boolean;
};

function readRows(text: string, delimiter: string, maxRows: number): Rows {
  let [total, columns] = [0, 0];
  const options: Options = {
    ...relaxed,
    delimiter,
    on_record(record) {
      total += 1;
      columns = Math.max(columns, record.length);
      return total <= maxRows ? record : null;
    },
  };
  try {
    const rows = parse(text, options);
    return { rows, total, columns, isUnquoted: false };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const rows = lines.slice(0, maxRows).map((line) => line.split(delimiter));
    const widest = Math.max(0, ...rows.map((row) => row.length));
    return { rows, total: lines.length, columns: widest, isUnquoted: true };
  }
}
