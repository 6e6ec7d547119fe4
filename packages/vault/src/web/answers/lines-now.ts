/** Lines of a file, and the number of the first. */
export type Lines = { start: number; lines: readonly string[] };

/**
 * What stands now where lines of a file stood: as many lines as there were, at the place where the most of them stand as they
 * did, and of several such places at the nearest; where none is left, at the same place.
 */
export function linesNow(then: Lines, file: readonly string[]): Lines {
  const length = Math.min(then.lines.length, file.length);
  const within = (at: number): number => Math.max(0, Math.min(at, file.length - length));
  const known = Map.groupBy(then.lines.keys(), (index) => then.lines[index] ?? '');
  /** For each place, how many lines say that it is the one. */
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
