import type { Keepsake, Update } from '../../../vault/src/app/index.ts';
import { nothingSpent } from '../../../vault/src/models/index.ts';
import type { Spent } from './evaluation-run.ts';

type Agents = Keepsake['agents'];
type Counted = ReturnType<Agents['spentToday']>;

/** What the agents use from now on, until the function is called. */
export function watchSpending(agents: Agents, hasPrices: boolean): () => Spent {
  const before = agents.spentToday();
  return () => {
    const after = agents.spentToday();
    // A new day has begun if there is less than before.
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

/** What an update says that it has used, on however many days. */
export function spentOn(used: Update['spent'], hasPrices: boolean): Spent {
  const { steps, input, cached, written, output, cost } = used ?? nothingSpent;
  return { steps, fresh: input - cached - written, cached, written, output, cost: hasPrices ? cost : null };
}

export function sumSpent(all: readonly Spent[]): Spent {
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
