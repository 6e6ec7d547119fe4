import type { Clock } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** An action or a failure of upkeep. */
export type UpkeepEvent =
  /** Files that changed on disk, also by Keepsake itself; the index now has their new content. */
  | { kind: 'changed-files'; paths: VaultPath[] }
  | { kind: 'stamped'; paths: VaultPath[] }
  | { kind: 'tree-written' }
  /** Files whose external edits were recorded in history as a change. */
  | { kind: 'recorded'; paths: VaultPath[] }
  /** Number of files added to the history baseline, and the number still missing. */
  | { kind: 'baseline'; files: number; left: number }
  /** A conflict copy was merged into its note. */
  | { kind: 'copy-merged'; path: VaultPath; note: VaultPath }
  /** A conflict copy that the user has to decide about; a question was added to the inbox. */
  | { kind: 'copy-question'; path: VaultPath; note: VaultPath }
  /** A note contains git conflict markers; a question was added to the inbox. */
  | { kind: 'markers-question'; path: VaultPath }
  /** Numbers of changes and updates that retention deleted. */
  | { kind: 'expired'; changes: number; updates: number }
  /** Number of chunks that now have vectors, and the number still waiting. */
  | { kind: 'embedded'; sections: number; left: number }
  /** There is a `tree.md` that Keepsake did not generate. */
  | { kind: 'tree-not-generated' }
  | { kind: 'failed'; operation: string; error: unknown };

export type ReportEvent = (event: UpkeepEvent) => void;

export type EventReporter = {
  report: ReportEvent;
  /** Runs the work; an error is reported and not rethrown. */
  attempt: (operation: string, work: () => Promise<void>) => Promise<void>;
};

/** Minimum interval between reports of the same failure. */
const repeatIntervalMs = 10 * 60_000;

export function createEventReporter(onEvent: ReportEvent, monotonicNow: Clock): EventReporter {
  const told = new Map<string, number>();
  const report: ReportEvent = (event) => {
    if (event.kind === 'failed' || event.kind === 'tree-not-generated') {
      const what = event.kind === 'failed' ? `${event.operation}: ${failureKey(event)}` : event.kind;
      if (monotonicNow() < (told.get(what) ?? -Infinity) + repeatIntervalMs) return;
      if (told.size > 100) told.clear();
      told.set(what, monotonicNow());
    }
    onEvent(event);
  };
  return {
    report,
    async attempt(operation, work) {
      try {
        await work();
      } catch (error) {
        report({ kind: 'failed', operation, error });
      }
    },
  };
}

/** Where watching is not possible, the system reports an error for every folder; these count as one failure. */
function failureKey({ operation, error }: { operation: string; error: unknown }): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return operation === 'watching' && code !== '' ? code : String(error);
}
