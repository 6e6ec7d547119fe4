import type { Journal } from '../../../vault/src/changes/index.ts';
import type { CommitLog } from './commit-log.ts';
import type { AppliedPosition } from './applied-position.ts';
import type { LogRecord } from './records.ts';

/** Wraps the local journal: every entry is added to the service's log before it is written to disk. */
export function createLoggedJournal(local: Journal, log: CommitLog, noted: AppliedPosition): Journal {
  const write = async <Value>(record: LogRecord, locally: () => Promise<Value>): Promise<Value> =>
    noted.apply(await log.append([record]), locally);
  return {
    ...local,
    append: (entry, changes, taking) =>
      write({ kind: 'begun', entry, changes, taking }, () => local.append(entry, changes, taking)),
    recordDecision: (id, decision) =>
      write({ kind: 'decided', id, decision }, () => local.recordDecision(id, decision)),
    setState(id, state) {
      local.setState(id, state);
      // No caller waits for this record, but it precedes every later one, so a replay reverts the transaction before it applies them.
      if (state === 'reverted') write({ kind: 'reverted', id }, async () => undefined).catch(() => undefined);
    },
  };
}
