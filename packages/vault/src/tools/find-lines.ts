/** Where lines stand: where they stood, at one other place, at several, or nowhere. */
export type FoundLines =
  | { kind: 'same' }
  | { kind: 'moved'; first: number }
  | { kind: 'several'; places: number[] }
  | { kind: 'gone' };

/** Looks for lines that began at `first` once; one that is undefined may be any. The one way to follow lines that moved. */
export function findLines(
  present: readonly string[],
  wanted: readonly (string | undefined)[],
  first: number,
): FoundLines {
  const isStill = wanted.every((line, index) => line === undefined || present[first - 1 + index] === line);
  if (isStill) return { kind: 'same' };
  const runs = runsOf(wanted);
  // In how many of its runs each place agrees.
  const agreeing = new Int32Array(present.length);
  for (const { at, lines } of runs)
    for (const start of occurrences(present, lines))
      if (start >= at) agreeing[start - at] = (agreeing[start - at] ?? 0) + 1;
  const places = present.flatMap((_, index) => (agreeing[index] === runs.length ? [index + 1] : []));
  const [place] = places;
  if (place === undefined) return { kind: 'gone' };
  return places.length === 1 ? { kind: 'moved', first: place } : { kind: 'several', places };
}

/** The lines that are known, in pieces without a gap, and where in all of them each piece begins. */
function runsOf(wanted: readonly (string | undefined)[]): { at: number; lines: string[] }[] {
  const runs: { at: number; lines: string[] }[] = [];
  for (const [index, line] of wanted.entries()) {
    if (line === undefined) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.at + last.lines.length === index) last.lines.push(line);
    else runs.push({ at: index, lines: [line] });
  }
  return runs;
}

/** Where some lines stand among others. No line is looked at twice for having been in vain (Knuth, Morris and Pratt). */
function occurrences(present: readonly string[], lines: readonly string[]): number[] {
  // After as many lines that agreed: how many of the last of them are also the first ones.
  const repeated = [0];
  const found: number[] = [];
  const grow = (matched: number, line: string | undefined): number => {
    let length = matched;
    while (length > 0 && lines[length] !== line) length = repeated[length - 1] ?? 0;
    return lines[length] === line ? length + 1 : length;
  };
  for (let index = 1; index < lines.length; index += 1)
    repeated.push(grow(repeated[index - 1] ?? 0, lines[index]));
  let matched = 0;
  for (const [index, line] of present.entries()) {
    matched = grow(matched === lines.length ? (repeated[matched - 1] ?? 0) : matched, line);
    if (matched === lines.length) found.push(index + 1 - lines.length);
  }
  return found;
}
