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
  const known = [...wanted.entries()].filter(([, line]) => line !== undefined);
  const isAt = (start: number): boolean =>
    known.every(([index, line]) => present[start - 1 + index] === line);
  if (isAt(first)) return { kind: 'same' };
  const places = present.flatMap((_, index) => (isAt(index + 1) ? [index + 1] : []));
  const [place] = places;
  if (place === undefined) return { kind: 'gone' };
  return places.length === 1 ? { kind: 'moved', first: place } : { kind: 'several', places };
}
