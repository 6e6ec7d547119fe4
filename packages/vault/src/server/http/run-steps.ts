import type { Served } from '../../app/index.ts';
import { followSteps } from '../../contract/index.ts';
import type { Step } from '../../contract/index.ts';

/** What was done for the latest updates, for whoever looks at one while it is worked on, or soon after. */
export type RunSteps = {
  of(update: string): readonly Step[];
  close(): void;
};

const mostRuns = 50;

export function createRunSteps({ events, sight }: Pick<Served, 'events' | 'sight'>): RunSteps {
  const runs = new Map<string, readonly Step[]>();
  let seen = sight();
  /** What was done before may have been about what is kept back by now. */
  const lookAgain = (): void => {
    const now = sight();
    if (now !== seen) runs.clear();
    seen = now;
  };
  const close = events.listen((event) => {
    lookAgain();
    if (event.type === 'update-started') {
      // As the newest one, also when it starts over.
      runs.delete(event.update);
      runs.set(event.update, []);
      const [oldest] = runs.keys();
      if (runs.size > mostRuns && oldest !== undefined) runs.delete(oldest);
    } else if ('run' in event) {
      const steps = runs.get(event.run);
      if (steps !== undefined) runs.set(event.run, followSteps(steps, event));
    }
  });
  return {
    of(update) {
      lookAgain();
      return runs.get(update) ?? [];
    },
    close,
  };
}
