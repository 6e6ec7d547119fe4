import type { Journal } from '../../../vault/src/changes/index.ts';
import type { CommitLog } from './commit-log.ts';
import type { Noted } from './noted.ts';
import type { LogRecord } from './records.ts';

/** The journal of a node: what it promises is in the log of the service first. */
export function createLoggedJournal(local: Journal, log: CommitLog, noted: Noted): Journal {
  const write = async <Value>(record: LogRecord, locally: () => Promise<Value>): Promise<Value> =>
    noted.after(await log.append([record]), locally);
  return {
    ...local,
    begin: (entry, changes, taking) =>
      write({ kind: 'begun', entry, changes, taking }, () => local.begin(entry, changes, taking)),
    decide: (id, decision) => write({ kind: 'decided', id, decision }, () => local.decide(id, decision)),
    mark(id, state) {
      local.mark(id, state);
      // Nobody waits for it, but every later promise comes after it: who plays the log back makes nothing under others that was taken back.
      if (state === 'reverted') write({ kind: 'reverted', id }, async () => undefined).catch(() => undefined);
    },
  };
}
