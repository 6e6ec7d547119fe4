import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Clock, UpdateFile } from '../contract/index.ts';
import type { NotifyIf } from './change-listeners.ts';
import { describeFiles } from './file-store.ts';
import type { FileStore } from './file-store.ts';
import type { SecretStore } from './secret-store.ts';
import type { AcceptedIdentity, AcceptOptions, UpdateQueue } from './update-queue.ts';

type Options = {
  store: FileStore;
  secretStore: Pick<SecretStore, 'put'>;
  clock: Clock;
  assertNotReplaced: () => void;
  notifyIf: NotifyIf;
};

/**
 * Stores the files first, in several transactions. A last transaction accepts the update if all its files are stored.
 */
export function createAccept(
  database: Database,
  { store, secretStore, clock, assertNotReplaced, notifyIf }: Options,
): UpdateQueue['accept'] {
  const insert = database.prepare(
    `insert into updates (id, key, accepted_at, state, input, files, content_hash) values (?, ?, ?, 'waiting', ?, ?, ?) on conflict (key) do nothing`,
  );
  const byKey = database.prepare('select id from updates where key = ?').pluck();
  const byId = database.prepare('select 1 from updates where id = ?').pluck();
  const isKnown = (key: string | undefined, { id }: AcceptedIdentity): boolean =>
    byId.get(id) !== undefined || (key !== undefined && byKey.get(key) !== undefined);
  const accept = database.transaction(
    (
      input: unknown,
      files: readonly UpdateFile[],
      { key, contentHash, secrets }: AcceptOptions,
      { id, at }: AcceptedIdentity,
    ) => {
      const described = JSON.stringify(describeFiles(files));
      const { changes } = insert.run(
        id,
        key ?? null,
        at,
        JSON.stringify(input),
        described,
        contentHash ?? null,
      );
      assertNotReplaced();
      if (changes === 0) return { id: String(byKey.get(key)), isNew: false };
      if (!store.isComplete(id, files))
        throw new Error('the files of the update were removed before it was accepted; send it again');
      if (secrets !== undefined) secretStore.put(id, secrets);
      return { id, isNew: true };
    },
  );
  return async (input, { files = [], as = { id: randomUUID(), at: clock() }, ...options } = {}) => {
    const { key } = options;
    const isStaged = files.length > 0 && !isKnown(key, as);
    let isNew = false;
    try {
      if (isStaged) await store.stage(as.id, files);
      const accepted = accept.immediate(input, files, options, as);
      ({ isNew } = accepted);
      notifyIf(isNew);
      return accepted;
    } finally {
      // Files that cannot be removed now are removed later by `removeUnusedFiles`.
      if (isStaged && !isNew) await store.remove(as.id).catch(() => undefined);
    }
  };
}
