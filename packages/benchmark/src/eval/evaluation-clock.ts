import { localTime } from '../../../vault/src/contract/index.ts';
import type { Clock } from '../../../vault/src/contract/index.ts';

export type EvaluationClock = {
  now: Clock;
  /** To this local time, unless it is later already. */
  set(at: string): void;
  skip(milliseconds: number): void;
  /** The day it is, as `2026-03-02`. */
  day(): string;
};

/** Time goes on from the last edit of the vault, so that «tomorrow» means the same in every run. */
export function startClock(files: ReadonlyMap<string, string>): EvaluationClock {
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
    day: () => localTime(now()).slice(0, 10),
  };
}
