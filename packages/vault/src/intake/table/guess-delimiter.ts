import { CsvError, parse } from 'csv-parse/sync';

/** Delimiters that are rarer in text come first: when two fit equally well, the first one wins. */
const delimiters = ['\t', ';', '|', ','];

const sampleLength = 65_536;
const sampleRows = 20;

/** Picks the delimiter that splits most of the first rows into the same number of cells; of several, the one with more cells. */
export function guessDelimiter(text: string): string {
  const sample = text.slice(0, sampleLength);
  const judged = delimiters.map((delimiter) => ({ delimiter, ...judge(sample, delimiter) }));
  const [best] = judged
    .filter(({ cells }) => cells > 1)
    .toSorted((one, other) => other.share - one.share || other.cells - one.cells);
  return best?.delimiter ?? ',';
}

/** The most common number of cells per row, and the share of rows that have it. */
function judge(sample: string, delimiter: string): { cells: number; share: number } {
  const counts = cellCounts(sample, delimiter);
  const rowsWith = Map.groupBy(counts, (count) => count);
  const [[cells, rows] = [0, []]] = [...rowsWith].toSorted(([, one], [, other]) => other.length - one.length);
  return { cells, share: rows.length / Math.max(1, counts.length) };
}

function cellCounts(sample: string, delimiter: string): number[] {
  const options = { delimiter, relax_quotes: true, relax_column_count: true, skip_empty_lines: true };
  try {
    return parse(sample, { ...options, to: sampleRows }).map((row) => row.length);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const lines = sample.split('\n', sampleRows).filter((line) => line !== '');
    return lines.map((line) => line.split(delimiter).length);
  }
}
