import type { JournalEntry } from '../changes/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { formatTime } from '../vault/index.ts';

/** A change as shown in lists, with display paths. */
export type ListedChange = JournalEntry & { paths: readonly string[]; isUndone: boolean };

const maxPaths = 3;

/** Formats `2025-07-14 18:30  3f2c91aa  edited vault/tasks.md (keepsake edit)`, with the state unless it is applied. */
export function formatChange(change: ListedChange): string {
  const { time, id, mark, summary } = describeChange(change);
  return `${time}  ${id}  ${mark}${summary} ${formatOrigin(change, maxPaths)}`;
}

export function describeChange({ id, at, summary, state, isUndone }: ListedChange) {
  const marks = [...(state === 'applied' ? [] : [state]), ...(isUndone ? ['undone'] : [])];
  return {
    time: formatTime(formatLocalTime(at)),
    id: id.slice(0, 8),
    mark: marks.length === 0 ? '' : `[${marks.join(', ')}] `,
    summary,
  };
}

/** Who made a change, and its first files, unless the summary names the only one. */
export function formatOrigin(
  { origin, paths }: Pick<ListedChange, 'origin' | 'paths'>,
  count: number,
): string {
  if (paths.length < 2) return `(${origin})`;
  const shown = paths.slice(0, count);
  const more = paths.length - shown.length;
  const names = shown.length === 0 ? '' : `: ${shown.join(', ')}${more === 0 ? '' : ` +${more} more`}`;
  return `(${origin}, ${paths.length} files${names})`;
}
