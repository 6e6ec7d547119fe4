import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { Keepsake } from '../../app/index.ts';
import type { Answer, api } from '../../contract/index.ts';

type AnswerView = z.output<typeof api.savedAnswer>;

/** The outcome of a finished question. */
export type AnswerOutcome = Pick<AnswerView, 'by' | 'steps' | 'answer' | 'problem'> & {
  state: Exclude<AnswerView['state'], 'running' | 'interrupted'>;
};

/** A question as it is stored. */
export type StoredQuestion = {
  id: string;
  /** The principal that asked; the answer is visible to no other. */
  principalId: string;
  /** Id of the first question in a chain of follow-ups. */
  thread: string;
  follows: string | null;
  question: string;
  askedAt: number;
  /** Identifies the exclusion patterns that applied when the question was asked. */
  visibilityKey: string;
};

/** `outcome` is null until the answer is finished. */
export type StoredAnswer = StoredQuestion & { outcome: AnswerOutcome | null };
export type AnswerSummary = StoredQuestion &
  Pick<AnswerOutcome, 'by'> & { state: AnswerOutcome['state'] | null; sources: number };

/** Answers that survive a restart, each for the principal that asked. */
export type AnswerStore = {
  /** Durable when it returns. May evict old answers, but neither this one nor those in `running`. */
  add(question: StoredQuestion, running: readonly string[]): void;
  end(id: string, outcome: AnswerOutcome): void;
  /** Newest first. */
  list(principalId: string, limit: number): AnswerSummary[];
  find(principalId: string, id: string): StoredAnswer | null;
  /** Ids, oldest first. */
  inThread(principalId: string, thread: string): string[];
  /** Returns how many answers were removed. */
  remove(principalId: string, id: string): number;
  removeAll(principalId: string): number;
};

/** Limits per principal; the oldest answers are evicted. */
const maxStoredAnswers = { count: 500, bytes: 20_000_000 };

/** The ids of the principals that are not access tokens. */
export const ownerPrincipalId = 'person';
export const modelPrincipalId = 'model';

/** Call the returned function for each use: the database may be replaced while the process runs. */
export function openAnswerStore({ state }: Pick<Keepsake, 'state'>): () => AnswerStore {
  return state.derive(({ durable, assertNotReplaced }) => createAnswerStore(durable, assertNotReplaced)).get;
}

type Row = Pick<StoredQuestion, 'id' | 'thread' | 'follows' | 'question'> & {
  asker: string;
  asked_at: number;
  sight: string;
  state: AnswerOutcome['state'] | null;
  answered_by: AnswerOutcome['by'];
  sources: number;
};

const head = 'id, asker, thread, follows, question, asked_at, sight, state, answered_by, sources';
const order = 'asked_at desc, rowid desc';

function createAnswerStore(database: Database, confirm: () => void): AnswerStore {
  const insert = database.prepare(
    `insert into answers (id, asker, thread, follows, question, asked_at, sight, sources, bytes)
     values (@id, @principalId, @thread, @follows, @question, @askedAt, @visibilityKey, 0, length(@question))`,
  );
  const evictOldest = database.prepare(
    `with placed as (
       select id, row_number() over newest as place, sum(bytes) over newest as bytes from answers
       where asker = @principalId window newest as (order by ${order})
     )
     delete from answers where id not in (select value from json_each(@running)) and (
       id in (select id from placed where place > @count or bytes > @bytes)
       or asker not in ('${ownerPrincipalId}', '${modelPrincipalId}') and asker not in (select id from tokens union select id from people)
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
    add: database.transaction((question: StoredQuestion, running: readonly string[]) => {
      confirm();
      insert.run(question);
      evictOldest.run({
        ...maxStoredAnswers,
        principalId: question.principalId,
        running: JSON.stringify([...running, question.id]),
      });
    }),
    end(id, outcome) {
      const { state, by, answer } = outcome;
      const sources = answer?.blocks.length ?? 0;
      end.run({ id, state, by, sources, outcome: JSON.stringify(outcome) });
    },
    list: (principalId, limit) =>
      (newest.all(principalId, limit) as Row[]).map((row) => {
        const { state, answered_by: by, sources } = row;
        return { ...toStoredQuestion(row), state, by, sources };
      }),
    find(principalId, id) {
      const row = one.get(principalId, id) as (Row & { outcome: string | null }) | undefined;
      if (row === undefined) return null;
      return {
        ...toStoredQuestion(row),
        outcome: row.outcome === null ? null : parseOutcome(row.outcome),
      };
    },
    inThread: (principalId, id) => thread.all(principalId, id) as string[],
    remove: (principalId, id) => remove.run(principalId, id).changes,
    removeAll: (principalId) => removeAll.run(principalId).changes,
  };
}

/** Adds the fields that answers stored by version 0.2 lack. */
function parseOutcome(json: string): AnswerOutcome {
  const outcome = JSON.parse(json) as AnswerOutcome;
  if (outcome.answer === null || 'found' in outcome.answer) return outcome;
  const old: Omit<Answer, 'found' | 'unsupported'> = outcome.answer;
  const blocks = old.blocks.map((block, index) => ({ ...block, number: index + 1 }));
  return { ...outcome, answer: { ...old, blocks, found: old.isCited ? 'yes' : 'no', unsupported: [] } };
}

function toStoredQuestion(row: Row): StoredQuestion {
  const { id, asker: principalId, thread, follows, question, asked_at: askedAt, sight: visibilityKey } = row;
  return { id, principalId, thread, follows, question, askedAt, visibilityKey };
}
