import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { Keepsake } from '../../app/index.ts';
import type { api } from '../../contract/index.ts';

type Shown = z.output<typeof api.keptAnswer>;

/** What came of a question, once it is over. */
export type Outcome = Pick<Shown, 'by' | 'steps' | 'answer' | 'problem'> & {
  state: Exclude<Shown['state'], 'running' | 'interrupted'>;
};

/** A question as it is kept. */
export type Kept = {
  id: string;
  /** Who asked. Nobody else is shown it. */
  asker: string;
  /** The first one of those that were asked on from one another. */
  thread: string;
  follows: string | null;
  question: string;
  askedAt: number;
  /** What was kept from models then. */
  sight: string;
};

/** Null until it is over. */
export type KeptWithOutcome = Kept & { outcome: Outcome | null };
export type Listed = Kept & Pick<Outcome, 'by'> & { state: Outcome['state'] | null; sources: number };

/** Answers that outlive the process, each for who asked. */
export type KeptAnswers = {
  /** Durable when it returns. Neither it nor one of `running` gives way. */
  add(kept: Kept, running: readonly string[]): void;
  end(id: string, outcome: Outcome): void;
  /** Newest first. */
  list(asker: string, limit: number): Listed[];
  find(asker: string, id: string): KeptWithOutcome | null;
  /** Their ids, oldest first. */
  inThread(asker: string, thread: string): string[];
  /** How many there were. */
  remove(asker: string, id: string): number;
  removeAll(asker: string): number;
};

/** Of one asker; the oldest give way. */
const most = { count: 500, bytes: 20_000_000 };

/** Askers that are no token. */
export const person = 'person';
export const model = 'model';

/** To be asked for each time: the database may have become another. */
export function openKeptAnswers({ state }: Pick<Keepsake, 'state'>): () => KeptAnswers {
  return state.follow(({ durable, confirm }) => createKeptAnswers(durable, confirm)).open;
}

type Row = Omit<Kept, 'askedAt'> & {
  asked_at: number;
  state: Outcome['state'] | null;
  answered_by: Outcome['by'];
  sources: number;
};

const head = 'id, asker, thread, follows, question, asked_at, sight, state, answered_by, sources';
const order = 'asked_at desc, rowid desc';

function createKeptAnswers(database: Database, confirm: () => void): KeptAnswers {
  const insert = database.prepare(
    `insert into answers (id, asker, thread, follows, question, asked_at, sight, sources, bytes)
     values (@id, @asker, @thread, @follows, @question, @askedAt, @sight, 0, length(@question))`,
  );
  const makeRoom = database.prepare(
    `with placed as (
       select id, row_number() over newest as place, sum(bytes) over newest as bytes from answers
       where asker = @asker window newest as (order by ${order})
     )
     delete from answers where id not in (select value from json_each(@running)) and (
       id in (select id from placed where place > @count or bytes > @bytes)
       or asker not in ('${person}', '${model}') and asker not in (select id from tokens union select id from people)
     )`,
  );
  const end = database.prepare(
    `update answers set state = @state, answered_by = @by, sources = @sources, outcome = @outcome,
       bytes = bytes + length(@outcome) where id = @id`,
  );
  const newest = database.prepare(`select ${head} from answers where asker = ? order by ${order} limit ?`);
  const one = database.prepare(`select ${head}, outcome from answers where asker = ? and id = ?`);
  const thread = database
    .prepare('select id from answers where asker = ? and thread = ? order by asked_at, rowid')
    .pluck();
  const remove = database.prepare('delete from answers where asker = ? and id = ?');
  const removeAll = database.prepare('delete from answers where asker = ?');
  return {
    add: database.transaction((kept: Kept, running: readonly string[]) => {
      confirm();
      insert.run(kept);
      makeRoom.run({ ...most, asker: kept.asker, running: JSON.stringify([...running, kept.id]) });
    }),
    end(id, outcome) {
      const { state, by, answer } = outcome;
      const sources = answer?.blocks.length ?? 0;
      end.run({ id, state, by, sources, outcome: JSON.stringify(outcome) });
    },
    list: (asker, limit) =>
      (newest.all(asker, limit) as Row[]).map((row) => {
        const { state, answered_by: by, sources } = row;
        return { ...keptFrom(row), state, by, sources };
      }),
    find(asker, id) {
      const row = one.get(asker, id) as (Row & { outcome: string | null }) | undefined;
      if (row === undefined) return null;
      return {
        ...keptFrom(row),
        outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as Outcome),
      };
    },
    inThread: (asker, id) => thread.all(asker, id) as string[],
    remove: (asker, id) => remove.run(asker, id).changes,
    removeAll: (asker) => removeAll.run(asker).changes,
  };
}

function keptFrom({ asked_at: askedAt, id, asker, thread, follows, question, sight }: Row): Kept {
  return { id, asker, thread, follows, question, askedAt, sight };
}
