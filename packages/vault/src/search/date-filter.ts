import type { SearchFilter } from './chunk-index.ts';

/*
 * Decides whether a chunk is within the date range of a filter, both ends included: by its own date, otherwise by the
 * date of its file. Implemented once in SQL for the index and once in code for staged files.
 */

/** Condition for a chunk `s` in a file `f`, with the parameters from `dateRange`. */
export const dateRangeSql = `substr(coalesce(nullif(s.day, ''), f.updated), 1, 10) between @from and @to`;

export function isInDateRange(
  { day, updated }: { day: string | null; updated: string },
  filter: Pick<SearchFilter, 'from' | 'to'>,
): boolean {
  const date = (day ?? updated).slice(0, 10);
  const { from, to } = dateRange(filter);
  return date >= from && date <= to;
}

/** An end that the filter does not set is open. */
export function dateRange({ from, to }: Pick<SearchFilter, 'from' | 'to'>): { from: string; to: string } {
  return { from: from ?? '', to: to ?? '9999' };
}
