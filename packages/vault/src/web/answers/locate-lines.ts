/** Consecutive lines of a file; `start` is the number of the first, counted from 1. */
export type Lines = { start: number; lines: readonly string[] };

/**
 * Finds the current position of lines that were cited earlier, and returns the same number of lines from there. The
 * position with the most unchanged lines wins, then the nearest one. If none of the lines is left, the original
 * position is used.
 */
export function locateLines(then: Lines, file: readonly string[]): Lines {
  const length = Math.min(then.lines.length, file.length);
  const within = (at: number): number => Math.max(0, Math.min(at, file.length - length));
  const known = Map.groupBy(then.lines.keys(), (index) => then.lines[index] ?? '');
  /** How many unchanged lines each start position would match. */
  const votes = new Map<number, number>();
  for (const [at, line] of file.entries())
    for (const index of line.trim() === '' ? [] : (known.get(line) ?? []))
      votes.set(within(at - index), (votes.get(within(at - index)) ?? 0) + 1);
  const before = within(then.start - 1);
  let best = { at: before, votes: 0 };
  for (const [at, count] of votes) {
    const isNearer = Math.abs(at - before) < Math.abs(best.at - before);
    if (count > best.votes || (count === best.votes && isNearer)) best = { at, votes: count };
  }
  return { start: best.at + 1, lines: file.slice(best.at, best.at + length) };
}
