import type { JournalEntry } from '../changes/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { formatTime } from '../vault/index.ts';

/** A change as shown in lists, with display paths. */
export type ListedChange = JournalEntry & { paths: readonly string[]; isUndone: boolean };

/** Formats `2025-07-14 18:30  3f2c91aa  edited vault/tasks.md (keepsake edit)`, with the state unless it is applied. */
export function formatChange({ id, at, origin, summary, state, isUndone, paths }: ListedChange): string {
  const others =
    paths.length > 1
      ? `, ${paths.length} files: ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ', …' : ''}`
      : '';
  const marks = [...(state === 'applied' ? [] : [state]), ...(isUndone ? ['undone'] : [])];
  const mark = marks.length === 0 ? '' : `[${marks.join(', ')}] `;
  return `${formatTime(formatLocalTime(at))}  ${id.slice(0, 8)}  ${mark}${summary} (${origin}${others})`;
}
