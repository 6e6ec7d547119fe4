/** Number of source lines of an answer that are shown at first. */
export const maxUnfoldedLines = 15;

/** Hiding fewer lines than this saves nothing. */
const minFoldedLines = 4;

/** Decides how many lines of each block are shown at first. A block without any is shown by its header only. */
export function foldLines(lineCounts: readonly number[]): number[] {
  const total = lineCounts.reduce((sum, count) => sum + count, 0);
  if (total < maxUnfoldedLines + minFoldedLines) return [...lineCounts];
  let remaining = maxUnfoldedLines;
  return lineCounts.map((count) => {
    const shown = Math.min(count, remaining);
    remaining -= shown;
    return count - shown < (shown > 0 ? minFoldedLines : 2) ? count : shown;
  });
}
