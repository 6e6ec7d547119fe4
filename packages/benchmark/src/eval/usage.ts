import type { Keepsake, Update } from '../../../vault/src/app/index.ts';
import { zeroUsage } from '../../../vault/src/models/index.ts';
import type { Spent } from './evaluation-run.ts';

type Agents = Keepsake['agents'];
type Counted = ReturnType<Agents['spentToday']>;

/** Returns a function that returns the usage of the agents since `trackUsage` was called. */
export function trackUsage(agents: Agents, hasPrices: boolean): () => Spent {
  const before = agents.spentToday();
  return () => {
    const after = agents.spentToday();
    // A lower total than before means that a new day has started.
    const used = (valueOf: (spent: Counted) => number): number =>
      after.steps < before.steps ? valueOf(after) : valueOf(after) - valueOf(before);
    return {
      steps: used(({ steps }) => steps),
      fresh: used(({ input, cached, written }) => input - cached - written),
      cached: used(({ cached }) => cached),
      written: used(({ written }) => written),
      output: used(({ output }) => output),
      cost: hasPrices ? used(({ cost }) => cost) : null,
    };
  };
}

/** The usage that an update reports, summed over all days. */
export function updateUsage(used: Update['spent'], hasPrices: boolean): Spent {
  const { steps, input, cached, written, output, cost } = used ?? zeroUsage;
  return { steps, fresh: input - cached - written, cached, written, output, cost: hasPrices ? cost : null };
}

export function sumUsage(all: readonly Spent[]): Spent {
  const sum = (valueOf: (spent: Spent) => number): number =>
    all.reduce((total, each) => total + valueOf(each), 0);
  return {
    steps: sum(({ steps }) => steps),
    fresh: sum(({ fresh }) => fresh),
    cached: sum(({ cached }) => cached),
    written: sum(({ written }) => written),
    output: sum(({ output }) => output),
    cost: all.some(({ cost }) => cost === null) ? null : sum(({ cost }) => cost ?? 0),
  };
}
