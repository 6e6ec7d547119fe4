import type { Database } from 'better-sqlite3';

/** The saved progress of updates. Call the writing methods in the same transaction as the change they belong to. */
export type ProgressStore = {
  get(update: string): Uint8Array | null;
  save(update: string, progress: Uint8Array): void;
  delete(update: string): void;
};

export function createProgressStore(database: Database): ProgressStore {
  const select = database.prepare('select progress from update_progress where id = ?').pluck();
  const insert = database.prepare('insert or replace into update_progress values (@id, @progress)');
  const remove = database.prepare('delete from update_progress where id = ?');
  return {
    get: (id) => (select.get(id) as Uint8Array | undefined) ?? null,
    save: (id, progress) => void insert.run({ id, progress }),
    delete: (id) => void remove.run(id),
  };
}
