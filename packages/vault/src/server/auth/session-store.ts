import type { Database } from 'better-sqlite3';
import type { Keepsake } from '../../app/index.ts';

/** A session as it is stored. `until` is in epoch milliseconds: the monotonic clock is not shared between processes. */
type StoredSession = { id: string; token: string | null; hash: Buffer; until: number };

/** Sessions that survive a restart. Only the hash of a secret is stored. */
export type SessionStore = {
  add(session: StoredSession): void;
  list(): StoredSession[];
  removeAll(): void;
};

/** Call the returned function for each use: the database may be replaced while the process runs. */
export function openSessionStore({ state }: Pick<Keepsake, 'state'>): () => SessionStore {
  return state.derive(({ durable }) => createSessionStore(durable)).get;
}

/** Limit for login codes and for sessions of one principal; its oldest are evicted, never those of others. */
export const maxSessionsPerPrincipal = 20;

function createSessionStore(database: Database): SessionStore {
  const insert = database.prepare('insert into sessions values (@id, @token, @hash, @until)');
  const all = database.prepare('select * from sessions');
  const removeAll = database.prepare('delete from sessions');
  const removeEnded = database.prepare(
    `delete from sessions where until < @now or (token is not null and token not in (select id from tokens union select id from people))
       or id in (select id from (select id, row_number() over (partition by token order by until desc, id = @id desc) as rank from sessions)
         where rank > @max)`,
  );
  return {
    add: database.transaction((session: StoredSession) => {
      insert.run(session);
      removeEnded.run({ id: session.id, now: Date.now(), max: maxSessionsPerPrincipal });
    }),
    list: () => all.all() as StoredSession[],
    removeAll: () => void removeAll.run(),
  };
}
