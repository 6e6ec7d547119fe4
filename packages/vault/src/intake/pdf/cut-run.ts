import type { Run } from './run.ts';

/** The words between two letters of a run, where they stand. */
export function cutRun(run: Run, start: number, end: number): Run {
  const text = run.text.slice(start, end);
  const letter = run.width / run.text.length;
  const blank = text.length - text.trimStart().length;
  return {
    ...run,
    text: text.trim(),
    x: run.x + (start + blank) * letter,
    width: text.trim().length * letter,
    isSpaced: start === 0 ? run.isSpaced : /\s/.test(run.text.slice(start - 1, start + 1)),
  };
}

/** Cuts a run at the spaces nearest to places on the page. */
export function cutRunAt(run: Run, places: readonly number[]): Run[] {
  const spaces = [...run.text.matchAll(/\s/g)].map(({ index }) => index);
  const letter = run.width / run.text.length;
  const cuts = places
    .filter((place) => place > run.x + run.size * 0.5 && place < run.x + run.width - run.size * 0.5)
    .map((place) => nearest(spaces, (place - run.x) / letter - 0.5));
  const ends = [...new Set(cuts.filter((cut) => cut !== undefined)), run.text.length];
  return ends.map((end, index) => cutRun(run, ends[index - 1] ?? 0, end)).filter(({ text }) => text !== '');
}

export function nearest(places: readonly number[], at: number): number | undefined {
  return places.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
}
