import type { Database } from 'better-sqlite3';
import type { AcceptedSecrets, UpdateQueue } from './update-queue.ts';

/** The secrets of accepted updates, apart from the updates so that they can be deleted. */
export type SecretStore = Pick<UpdateQueue, 'findSecrets' | 'keepSecrets' | 'forgetSecrets'> & {
  put: (update: string, secrets: AcceptedSecrets) => void;
};

type SecretRow = { label: string; is_kept: number; secrets: string };

export function createSecretStore(database: Database): SecretStore {
  const insert = database.prepare(
    'insert or replace into update_secrets (update_id, label, is_kept, secrets) values (?, ?, ?, ?)',
  );
  const select = database.prepare('select * from update_secrets where label = ?');
  const keep = database.prepare('update update_secrets set is_kept = 1 where label = ?');
  const remove = database.prepare('delete from update_secrets where label = ?');
  return {
    put: (update, { label, isKept, secrets }) =>
      void insert.run(update, label, Number(isKept), JSON.stringify(secrets)),
    findSecrets(label) {
      const row = select.get(label) as SecretRow | undefined;
      return row && { label, isKept: row.is_kept === 1, secrets: JSON.parse(row.secrets) as unknown };
    },
    keepSecrets: (label) => void keep.run(label),
    forgetSecrets: (label) => void remove.run(label),
  };
}
