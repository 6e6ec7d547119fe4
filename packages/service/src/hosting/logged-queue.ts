import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../vault/src/contract/index.ts';
import type { UpdateQueue } from '../../../vault/src/queue/index.ts';
import type { CommitLog } from './commit-log.ts';
import type { Noted } from './noted.ts';
import type { LogRecord } from './records.ts';

/**
 * The queue of a node. How far an update has come is not in the log: after a takeover it is begun anew, and what it has already
 * changed is found by its id in the journal.
 */
export function createLoggedQueue(
  local: UpdateQueue,
  log: CommitLog,
  noted: Noted,
  clock: Clock,
): UpdateQueue {
  const write = async <Value>(record: LogRecord, locally: () => Promise<Value>): Promise<Value> =>
    noted.after(await log.append([record]), locally);
  return {
    ...local,
    accept(input, { files = [], key, as: { id, at } = { id: randomUUID(), at: clock() } } = {}) {
      return write({ kind: 'accepted', id, at, input, files, key }, () =>
        local.accept(input, { files, key, as: { id, at } }),
      );
    },
    cancel: (id) => write({ kind: 'cancelled', id }, () => local.cancel(id)),
    retry: (id) => write({ kind: 'retried', id }, () => local.retry(id)),
  };
}
