import type { Filter } from './section-index.ts';

/*
 * When a section is of the time asked for: its own day, else that of its file, lies between the two that a filter names,
 * both included. Once for the index, in SQL, and once for what is only staged.
 */

/** Of a section `s` in a file `f`, with the parameters that `timeOf` gives. */
export const inTimeSql = `substr(coalesce(nullif(s.day, ''), f.updated), 1, 10) between @from and @to`;

export function isInTime(
  { day, updated }: { day: string | null; updated: string },
  filter: Pick<Filter, 'from' | 'to'>,
): boolean {
  const date = (day ?? updated).slice(0, 10);
  const { from, to } = timeOf(filter);
  return date >= from && date <= to;
}

/** Open where a filter says nothing. */
export function timeOf({ from, to }: Pick<Filter, 'from' | 'to'>): { from: string; to: string } {
  return { from: from ?? '', to: to ?? '9999' };
}
