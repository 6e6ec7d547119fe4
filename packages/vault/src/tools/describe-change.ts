import type { JournalEntry } from '../changes/index.ts';
import { localTime } from '../contract/index.ts';
import { showTime } from '../vault/index.ts';

/** A change as lists show it; paths as they are shown. */
export type ListedChange = JournalEntry & { paths: readonly string[]; isUndone: boolean };

/** `2025-07-14 18:30  3f2c91aa  edited vault/tasks.md (keepsake edit)`; what is not simply done says so. */
export function describeChange({ id, at, origin, summary, state, isUndone, paths }: ListedChange): string {
  const others =
    paths.length > 1
      ? `, ${paths.length} files: ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ', …' : ''}`
      : '';
  const marks = [...(state === 'applied' ? [] : [state]), ...(isUndone ? ['undone'] : [])];
  const mark = marks.length === 0 ? '' : `[${marks.join(', ')}] `;
  return `${showTime(localTime(at))}  ${id.slice(0, 8)}  ${mark}${summary} (${origin}${others})`;
}
