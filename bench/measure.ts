import { spawnSync } from 'node:child_process';

/** The amount of work: enough for meaningful figures, or just enough to show that a bench still runs. */
export type Size = 'full' | 'tiny';

/** Returns how many milliseconds the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median of `runs` measurements, after one warm-up run. */
export async function medianOf(runs: number, measure: () => Promise<number>): Promise<number> {
  await measure();
  const values: number[] = [];
  for (let run = 0; run < runs; run += 1) values.push(await measure());
  return middleOf(values);
}

export function middleOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Runs a command to its end and discards its output. */
export function command(name: string, ...args: string[]): void {
  const { status, error } = spawnSync(name, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${name} failed`, { cause: error });
}

/** Describes whether a goal is reached, or that it was not measured. */
export function verdict(isReached: boolean, ...values: number[]): string {
  if (values.length === 0 || !values.every(Number.isFinite)) return 'NOT MEASURED';
  return isReached ? 'reached' : 'NOT REACHED';
}

/** Prints one line of a report: our time, the time it is compared with, and whether their ratio is within the limit. */
export function report(
  what: string,
  ours: number,
  theirs: { name: string; time: number },
  limit: number,
): void {
  const ratio = ours / theirs.time;
  console.log(
    `${what}: ${ours.toFixed(1)} ms, ${ratio.toFixed(2)}× ${theirs.name} (${theirs.time.toFixed(1)} ms); at most ${limit}×: ${verdict(ratio <= limit, ratio)}`,
  );
}

export function reportLimit(what: string, value: number, limit: number, unit: string): void {
  console.log(
    `${what}: ${value.toFixed(1)} ${unit}; at most ${limit} ${unit}: ${verdict(value <= limit, value)}`,
  );
}
