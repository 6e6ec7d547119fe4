import { formatLocalTime } from '../../../vault/src/contract/index.ts';
import type { Clock } from '../../../vault/src/contract/index.ts';

export type EvaluationClock = {
  now: Clock;
  /** Sets the clock to this local time, unless it is already later. */
  set(at: string): void;
  skip(milliseconds: number): void;
  /** The current day, as `2026-03-02`. */
  day(): string;
};

/** Starts at the last edit of the vault, so that “tomorrow” means the same in every run. */
export function createEvaluationClock(files: ReadonlyMap<string, string>): EvaluationClock {
  const stamps = [...files.values()].flatMap((text) => /^updated: (\S+)$/m.exec(text)?.[1] ?? []);
  const last = Date.parse(stamps.toSorted().at(-1) ?? '');
  let ahead = Number.isNaN(last) ? 0 : last - Date.now();
  const now = (): number => Date.now() + ahead;
  return {
    now,
    set(at) {
      ahead += Math.max(0, Date.parse(at) - now());
    },
    skip(milliseconds) {
      ahead += milliseconds;
    },
    day: () => formatLocalTime(now()).slice(0, 10),
  };
}
