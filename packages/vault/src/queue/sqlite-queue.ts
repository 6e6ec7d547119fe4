import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import { createAccept } from './accept-updates.ts';
import { createChangeListeners } from './change-listeners.ts';
import { createClaims } from './claims.ts';
import { createFileStore } from './file-store.ts';
import { createFinder } from './find-updates.ts';
import type { QueuedUpdate, UpdateQueue } from './port.ts';
import { createProgressStore } from './progress-store.ts';
import { usualTiming } from './queue-timing.ts';
import { updateFrom } from './update-row.ts';
import type { UpdateRow } from './update-row.ts';

/**
 * The database must be synchronous=FULL: what is accepted is promised. `confirm` throws when it is no longer the one that the
 * next start will find.
 */
export function createSqliteQueue(
  database: Database,
  clock: Clock,
  timing = usualTiming,
  confirm: () => void = () => undefined,
): UpdateQueue {
  const store = createFileStore(database, clock);
  const progress = createProgressStore(database);
  const { onChange, notifyIf } = createChangeListeners();
  const show = (row: UpdateRow): QueuedUpdate => updateFrom(row, clock(), timing);
  const cancelOpen = database.prepare(
    `update updates set state = 'cancelled' where id = @id and state in ('waiting', 'parked')`,
  );
  const cancel = database.transaction((id: string) => {
    if (cancelOpen.run({ id }).changes === 0) return false;
    progress.forget(id);
    confirm();
    return true;
  });
  const putBack = database.prepare(
    `update updates set state = 'waiting', attempts = 0, not_before = 0, fence = fence + 1
     where id = @id and state in ('parked', 'cancelled')`,
  );
  const retry = database.transaction((id: string) => {
    confirm();
    return putBack.run({ id }).changes === 1;
  });
  return {
    accept: createAccept(database, { store, clock, confirm, notifyIf }),
    ...createFinder(database, show),
    readFiles: ({ id, files }) => store.read(id, files),
    removeUnusedFiles: () => store.removeUnused(),
    onChange,
    cancel: async (id) => notifyIf(cancel.immediate(id)),
    retry: async (id) => notifyIf(retry.immediate(id)),
    progress: (id) => progress.get(id),
    ...createClaims(database, { clock, timing, confirm, notifyIf, show, progress }),
  };
}
