import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../vault/src/contract/index.ts';
import type { UpdateQueue } from '../../../vault/src/queue/index.ts';
import type { CommitLog } from './commit-log.ts';
import type { AppliedPosition } from './applied-position.ts';
import type { LogRecord } from './records.ts';

/**
 * Wraps the local queue. The progress of an update is not logged: after a takeover, the update starts again, and the
 * journal shows by update id which changes were already made.
 */
export function createLoggedQueue(
  local: UpdateQueue,
  log: CommitLog,
  noted: AppliedPosition,
  clock: Clock,
): UpdateQueue {
  const write = async <Value>(record: LogRecord, locally: () => Promise<Value>): Promise<Value> =>
    noted.apply(await log.append([record]), locally);
  return {
    ...local,
    accept(input, { files = [], as: { id, at } = { id: randomUUID(), at: clock() }, ...options } = {}) {
      return write({ kind: 'accepted', id, at, input, files, ...options }, () =>
        local.accept(input, { files, ...options, as: { id, at } }),
      );
    },
    cancel: (id) => write({ kind: 'cancelled', id }, () => local.cancel(id)),
    retry: (id) => write({ kind: 'retried', id }, () => local.retry(id)),
  };
}
