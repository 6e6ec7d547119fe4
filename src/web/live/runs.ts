import type { KeepsakeEvent } from '../../contract/index.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

/** One call of a tool. `problem` is undefined while it runs, null when all went well. */
export type Step = { tool: string; about: string; problem: string | null | undefined };
/** What an agent has done so far, by the id of the update or the question. */
export type Runs = ReadonlyMap<string, readonly Step[]>;

const mostRuns = 50;

export function createRuns(): Store<Runs> & { follow(event: KeepsakeEvent, as?: string): void } {
  const store = createStore<Runs>(new Map());
  const change = (run: string, edit: (steps: readonly Step[]) => readonly Step[]): void =>
    store.set((runs) => new Map([...[...runs].slice(-mostRuns), [run, edit(runs.get(run) ?? [])]]));
  return {
    ...store,
    follow(event, as) {
      if (event.type === 'tool-called') {
        const { tool, about } = event;
        change(as ?? event.run, (steps) => [...steps, { tool, about, problem: undefined }]);
      }
      if (event.type === 'tool-finished') {
        const { tool, problem } = event;
        change(as ?? event.run, (steps) => {
          const at = steps.findIndex((step) => step.tool === tool && step.problem === undefined);
          return steps.map((step, index) => (index === at ? { ...step, problem } : step));
        });
      }
      // It starts over, so what was tried before has not happened.
      if (event.type === 'update-started') change(event.update, () => []);
    },
  };
}
