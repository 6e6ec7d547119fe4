/** The location of lines: unchanged, at one other position, at several, or missing. */
export type LineLocation =
  | { kind: 'same' }
  | { kind: 'moved'; first: number }
  | { kind: 'ambiguous'; places: number[] }
  | { kind: 'missing' };

/** Locates lines that previously began at line `first`; an undefined line matches any line. */
export function locateLines(
  currentLines: readonly string[],
  lines: readonly (string | undefined)[],
  first: number,
): LineLocation {
  const isStill = lines.every(
    (line, index) => line === undefined || currentLines[first - 1 + index] === line,
  );
  if (isStill) return { kind: 'same' };
  const runs = splitIntoRuns(lines);
  // The number of matching runs for each start position.
  const agreeing = new Int32Array(currentLines.length);
  for (const { at, lines: run } of runs)
    for (const start of findOccurrences(currentLines, run))
      if (start >= at) agreeing[start - at] = (agreeing[start - at] ?? 0) + 1;
  const places = currentLines.flatMap((_, index) => (agreeing[index] === runs.length ? [index + 1] : []));
  const [place] = places;
  if (place === undefined) return { kind: 'missing' };
  return places.length === 1 ? { kind: 'moved', first: place } : { kind: 'ambiguous', places };
}

/** Splits the lines into runs of consecutive known lines, each with its offset. */
function splitIntoRuns(lines: readonly (string | undefined)[]): { at: number; lines: string[] }[] {
  const runs: { at: number; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === undefined) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.at + last.lines.length === index) last.lines.push(line);
    else runs.push({ at: index, lines: [line] });
  }
  return runs;
}

/** Finds all occurrences of a sequence of lines in linear time (Knuth–Morris–Pratt). */
function findOccurrences(currentLines: readonly string[], lines: readonly string[]): number[] {
  // Failure table: the length of the longest proper prefix that is also a suffix.
  const failureTable = [0];
  const found: number[] = [];
  const grow = (matched: number, line: string | undefined): number => {
    let length = matched;
    while (length > 0 && lines[length] !== line) length = failureTable[length - 1] ?? 0;
    return lines[length] === line ? length + 1 : length;
  };
  for (let index = 1; index < lines.length; index += 1)
    failureTable.push(grow(failureTable[index - 1] ?? 0, lines[index]));
  let matched = 0;
  for (const [index, line] of currentLines.entries()) {
    matched = grow(matched === lines.length ? (failureTable[matched - 1] ?? 0) : matched, line);
    if (matched === lines.length) found.push(index + 1 - lines.length);
  }
  return found;
}
