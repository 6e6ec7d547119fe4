import type { Database } from 'better-sqlite3';

/** How far updates have come. What changes it is called in a transaction with what it goes with. */
export type ProgressStore = {
  get(update: string): Uint8Array | null;
  keep(update: string, progress: Uint8Array): void;
  forget(update: string): void;
};

export function createProgressStore(database: Database): ProgressStore {
  const select = database.prepare('select progress from update_progress where id = ?').pluck();
  const insert = database.prepare('insert or replace into update_progress values (@id, @progress)');
  const remove = database.prepare('delete from update_progress where id = ?');
  return {
    get: (id) => (select.get(id) as Uint8Array | undefined) ?? null,
    keep: (id, progress) => void insert.run({ id, progress }),
    forget: (id) => void remove.run(id),
  };
}
