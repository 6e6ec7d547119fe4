import type { Filter } from '../section-index.ts';

/** Whether the day a section `s` belongs to, else that of its file `f`, is between the two that `timeOf` gives. */
export const isInTime = `substr(coalesce(nullif(s.day, ''), f.updated), 1, 10) between @from and @to`;

export function timeOf({ from, to }: Filter): { from: string; to: string } {
  return { from: from ?? '', to: to ?? '9999' };
}
