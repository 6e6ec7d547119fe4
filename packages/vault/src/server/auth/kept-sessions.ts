import type { Database } from 'better-sqlite3';
import type { Keepsake } from '../../app/index.ts';

/** A session as it is kept; `until` is by the clock of the machine, the only one that two processes share. */
type KeptSession = { id: string; token: string | null; hash: Buffer; until: number };

/** Sessions that outlive the process. Of their secrets there is only a hash. */
export type KeptSessions = {
  add(session: KeptSession): void;
  list(): KeptSession[];
  removeAll(): void;
};

/** To be asked for each time: the database may have become another. */
export function openKeptSessions({ state }: Pick<Keepsake, 'state'>): () => KeptSessions {
  return state.follow(({ durable }) => createKeptSessions(durable)).open;
}

/** At once, of a kind; the oldest give way. */
export const mostSessions = 100;

function createKeptSessions(database: Database): KeptSessions {
  const insert = database.prepare('insert into sessions values (@id, @token, @hash, @until)');
  const all = database.prepare('select * from sessions');
  const removeAll = database.prepare('delete from sessions');
  const removeEnded = database.prepare(
    `delete from sessions where until < @now or (token is not null and token not in (select id from tokens union select id from people))
       or id not in (select id from sessions order by until desc limit @most)`,
  );
  return {
    add: database.transaction((session: KeptSession) => {
      insert.run(session);
      removeEnded.run({ now: Date.now(), most: mostSessions });
    }),
    list: () => all.all() as KeptSession[],
    removeAll: () => void removeAll.run(),
  };
}
