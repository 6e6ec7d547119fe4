import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Clock, UpdateFile } from '../contract/index.ts';
import type { NotifyIf } from './change-listeners.ts';
import { describeFiles } from './file-store.ts';
import type { FileStore } from './file-store.ts';
import type { AcceptedAs, UpdateQueue } from './port.ts';

type Options = { store: FileStore; clock: Clock; confirm: () => void; notifyIf: NotifyIf };

/** Files are stored in parts first; one transaction then accepts the update with all of them. */
export function createAccept(
  database: Database,
  { store, clock, confirm, notifyIf }: Options,
): UpdateQueue['accept'] {
  const insert = database.prepare(
    `insert into updates (id, key, accepted_at, state, input, files) values (?, ?, ?, 'waiting', ?, ?) on conflict (key) do nothing`,
  );
  const byKey = database.prepare('select id from updates where key = ?').pluck();
  const byId = database.prepare('select 1 from updates where id = ?').pluck();
  const isKnown = (key: string | undefined, { id }: AcceptedAs): boolean =>
    byId.get(id) !== undefined || (key !== undefined && byKey.get(key) !== undefined);
  const accept = database.transaction(
    (input: unknown, files: readonly UpdateFile[], key: string | undefined, { id, at }: AcceptedAs) => {
      const described = JSON.stringify(describeFiles(files));
      const { changes } = insert.run(id, key ?? null, at, JSON.stringify(input), described);
      confirm();
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
      // What cannot be removed now is removed with other unused files later.
      if (isStaged && !isNew) await store.remove(as.id).catch(() => undefined);
    }
  };
}
