import { CsvError, parse } from 'csv-parse/sync';

/** The rarer ones in text come first: where two fit equally well, it is the former. */
const delimiters = ['\t', ';', '|', ','];

const sampleLength = 65_536;
const sampleRows = 20;

/** The one that cuts most of the first rows into equally many cells; if several do, into more. */
export function guessDelimiter(text: string): string {
  const sample = text.slice(0, sampleLength);
  const judged = delimiters.map((delimiter) => ({ delimiter, ...judge(sample, delimiter) }));
  const [best] = judged
    .filter(({ cells }) => cells > 1)
    .toSorted((one, other) => other.share - one.share || other.cells - one.cells);
  return best?.delimiter ?? ',';
}

/** How many cells most rows have, and which share of the rows that is. */
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
