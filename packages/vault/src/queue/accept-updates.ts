import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Clock, UpdateFile } from '../contract/index.ts';
import type { NotifyIf } from './change-listeners.ts';
import { describeFiles } from './file-store.ts';
import type { FileStore } from './file-store.ts';
import type { AcceptedIdentity, UpdateQueue } from './update-queue.ts';

type Options = { store: FileStore; clock: Clock; assertNotReplaced: () => void; notifyIf: NotifyIf };

/**
 * Stores the files first, in several transactions. A last transaction accepts the update if all its files are stored.
 */
export function createAccept(
  database: Database,
  { store, clock, assertNotReplaced, notifyIf }: Options,
): UpdateQueue['accept'] {
  const insert = database.prepare(
    `insert into updates (id, key, accepted_at, state, input, files) values (?, ?, ?, 'waiting', ?, ?) on conflict (key) do nothing`,
  );
  const byKey = database.prepare('select id from updates where key = ?').pluck();
  const byId = database.prepare('select 1 from updates where id = ?').pluck();
  const isKnown = (key: string | undefined, { id }: AcceptedIdentity): boolean =>
    byId.get(id) !== undefined || (key !== undefined && byKey.get(key) !== undefined);
  const accept = database.transaction(
    (input: unknown, files: readonly UpdateFile[], key: string | undefined, { id, at }: AcceptedIdentity) => {
      const described = JSON.stringify(describeFiles(files));
      const { changes } = insert.run(id, key ?? null, at, JSON.stringify(input), described);
      assertNotReplaced();
      if (changes === 0) return { id: String(byKey.get(key)), isNew: false };
      if (!store.isComplete(id, files))
        throw new Error('the files of the update were removed before it was accepted; send it again');
      return { id, isNew: true };
    },
  );
  return async (input, { files = [], key, as = { id: randomUUID(), at: clock() } } = {}) => {
    const isStaged = files.length > 0 && !isKnown(key, as);
    let isNew = false;
    try {
      if (isStaged) await store.stage(as.id, files);
      const accepted = accept.immediate(input, files, key, as);
      ({ isNew } = accepted);
      notifyIf(isNew);
      return accepted;
    } finally {
      // Files that cannot be removed now are removed later by `removeUnusedFiles`.
      if (isStaged && !isNew) await store.remove(as.id).catch(() => undefined);
    }
  };
}
