import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import { createAccept } from './accept-updates.ts';
import { createChangeListeners } from './change-listeners.ts';
import { createClaims } from './claims.ts';
import { createExpiry } from './expired-updates.ts';
import { createFileStore } from './file-store.ts';
import { createFinder } from './find-updates.ts';
import type { QueuedUpdate, UpdateQueue } from './update-queue.ts';
import { createProgressStore } from './progress-store.ts';
import { createSecretStore } from './secret-store.ts';
import { defaultOptions } from './queue-timing.ts';
import { updateFrom } from './update-row.ts';
import type { UpdateRow } from './update-row.ts';

/**
 * The database must use synchronous=FULL, because accepted updates must survive a power loss. `assertNotReplaced`
 * throws when the database file is no longer the one that the next start will open.
 */
export function createSqliteQueue(
  database: Database,
  clock: Clock,
  timing = defaultOptions,
  assertNotReplaced: () => void = () => undefined,
): UpdateQueue {
  const store = createFileStore(database, clock);
  const progress = createProgressStore(database);
  const { put, ...secrets } = createSecretStore(database);
  const { onChange, notifyIf } = createChangeListeners();
  const toQueuedUpdate = (row: UpdateRow): QueuedUpdate => updateFrom(row, clock(), timing);
  const cancelOpen = database.prepare(
    `update updates set state = 'cancelled' where id = @id and state in ('waiting', 'parked')`,
  );
  const cancel = database.transaction((id: string) => {
    if (cancelOpen.run({ id }).changes === 0) return false;
    progress.delete(id);
    assertNotReplaced();
    return true;
  });
  const retryUpdate = database.prepare(
    `update updates set state = 'waiting', attempts = 0, not_before = 0, fence = fence + 1
     where id = @id and (state in ('parked', 'cancelled') or (state = 'waiting' and not_before > 0))`,
  );
  const retry = database.transaction((id: string) => {
    assertNotReplaced();
    return retryUpdate.run({ id }).changes === 1;
  });
  return {
    accept: createAccept(database, { store, secretStore: { put }, clock, assertNotReplaced, notifyIf }),
    ...secrets,
    ...createFinder(database, toQueuedUpdate),
    ...createExpiry(database),
    readFiles: ({ id, files }) => store.read(id, files),
    removeUnusedFiles: () => store.removeUnused(),
    onChange,
    cancel: async (id) => notifyIf(cancel.immediate(id)),
    retry: async (id) => notifyIf(retry.immediate(id)),
    loadProgress: (id) => progress.get(id),
    ...createClaims(database, { clock, timing, assertNotReplaced, notifyIf, toQueuedUpdate, progress }),
  };
}
