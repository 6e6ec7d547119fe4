import type { Run } from './run.ts';

/** Returns the part of a run between two letter indexes, at its position on the page. */
export function sliceRun(run: Run, start: number, end: number): Run {
  const text = run.text.slice(start, end);
  const letter = run.width / run.text.length;
  const blank = text.length - text.trimStart().length;
  return {
    ...run,
    text: text.trim(),
    x: run.x + (start + blank) * letter,
    width: text.trim().length * letter,
    hasLeadingSpace: start === 0 ? run.hasLeadingSpace : /\s/.test(run.text.slice(start - 1, start + 1)),
  };
}

/** Splits a run at the spaces nearest to the given x positions. */
export function splitRunAt(run: Run, places: readonly number[]): Run[] {
  const spaces = [...run.text.matchAll(/\s/g)].map(({ index }) => index);
  const letter = run.width / run.text.length;
  const cuts = places
    .filter((place) => place > run.x + run.size * 0.5 && place < run.x + run.width - run.size * 0.5)
    .map((place) => nearest(spaces, (place - run.x) / letter - 0.5));
  const ends = [...new Set(cuts.filter((cut) => cut !== undefined)), run.text.length];
  return ends.map((end, index) => sliceRun(run, ends[index - 1] ?? 0, end)).filter(({ text }) => text !== '');
}

export function nearest(places: readonly number[], at: number): number | undefined {
  return places.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
}
