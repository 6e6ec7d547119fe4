import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';

export type Coverage = {
  /** The blocks of our own sources that have run since the last call. */
  take(): string[];
};

/** Uses the block coverage of the engine, so nothing has to be instrumented. */
export function startCoverage(sources: string): Coverage {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    take() {
      let scripts: Profiler.ScriptCoverage[] = [];
      session.post('Profiler.takePreciseCoverage', (error, taken) => {
        if (error !== null) throw error;
        scripts = taken.result;
      });
      return scripts
        .filter(({ url }) => url.startsWith(sources))
        .flatMap(({ scriptId, functions }) =>
          functions.flatMap(({ ranges }) =>
            ranges
              .filter(({ count }) => count > 0)
              .map(({ startOffset, endOffset }) => `${scriptId}:${startOffset}-${endOffset}`),
          ),
        );
    },
  };
}
