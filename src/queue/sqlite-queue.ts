import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import type { AcceptedAs, Claim, QueuedUpdate, UpdateQueue, UpdateState } from './port.ts';

/** Comes after those of the journal, in the same database. */
export const queueMigrations = [
  `create table updates (
     seq integer primary key autoincrement,
     id text not null unique,
     key text unique,
     accepted_at integer not null,
     state text not null check (state in ('waiting', 'running', 'done', 'parked', 'cancelled')),
     attempts integer not null default 0,
     not_before integer not null default 0,
     input text not null,
     reason text,
     result text,
     fence integer not null default 0,
     leased_until integer not null default 0
   );
   create index open_updates on updates (seq) where state in ('waiting', 'running');`,
] as const;

/** Came after the tables of other rooms. */
export const laterQueueMigrations = [
  `create table update_progress (id text primary key, progress blob not null);`,
] as const;

type QueueTiming = {
  /** A worker that gave no sign for this long is asleep or dead. */
  lease: number;
  /** Before the second attempt; four times as long before each further one. */
  backoff: number;
  attempts: number;
};

const usualTiming: QueueTiming = { lease: 10_000, backoff: 5_000, attempts: 3 };

type Row = {
  id: string;
  accepted_at: number;
  state: UpdateState;
  attempts: number;
  not_before: number;
  input: string;
  reason: string | null;
  result: string | null;
  fence: number;
  leased_until: number;
};

/**
 * The database must be synchronous=FULL: what is accepted is promised. `confirm` throws when it is no longer the one that the
 * next start will find.
 */
export function createSqliteQueue(
  database: Database,
  clock: Clock,
  timing = usualTiming,
  confirm: () => void = () => undefined,
): UpdateQueue {
  const insert = database.prepare(
    `insert into updates (id, key, accepted_at, state, input) values (?, ?, ?, 'waiting', ?) on conflict (key) do nothing`,
  );
  const byKey = database.prepare('select id from updates where key = ?').pluck();
  const state = database.prepare('select state from updates where id = ?').pluck();
  const attemptsOf = database.prepare('select attempts from updates where id = ?').pluck();
  const counts = database.prepare('select state, count(*) as count from updates group by state');
  const like = database.prepare(`select * from updates where id like ? || '%' limit 2`);
  const first = `from updates where state in ('waiting', 'running') order by seq limit 1`;
  const oldest = database.prepare(`select * ${first}`);
  // Asked often, so without what came in.
  const next = database.prepare(`select id, state, attempts, reason, not_before, leased_until ${first}`);
  const some = database.prepare(
    'select * from updates where (@state is null or state = @state) order by seq desc limit @limit',
  );
  const change = (set: string, where: string) =>
    database.prepare(`update updates set ${set} where id = @id and ${where}`);
  const begin = change(
    `state = 'running', attempts = attempts + 1, fence = fence + 1, leased_until = @until`,
    'fence = @fence',
  );
  const mine = `state = 'running' and fence = @fence`;
  const renew = change('leased_until = @until', mine);
  const complete = change(`state = 'done', result = @result, reason = null`, mine);
  const fail = change(`state = @state, reason = @reason, not_before = @notBefore`, mine);
  const release = change(`state = 'waiting', attempts = attempts - 1`, mine);
  const countAnew = change('attempts = 1', mine);
  const progress = database.prepare('select progress from update_progress where id = ?').pluck();
  const keepProgress = database.prepare('insert or replace into update_progress values (@id, @progress)');
  const forgetProgress = database.prepare('delete from update_progress where id = ?');
  const cancel = change(`state = 'cancelled'`, `state in ('waiting', 'parked')`);
  const retry = change(
    `state = 'waiting', attempts = 0, not_before = 0, fence = fence + 1`,
    `state in ('parked', 'cancelled')`,
  );

  const accept = database.transaction((input: unknown, key: string | undefined, { id, at }: AcceptedAs) => {
    const { changes } = insert.run(id, key ?? null, at, JSON.stringify(input));
    confirm();
    return changes === 1 ? { id, isNew: true } : { id: String(byKey.get(key)), isNew: false };
  });
  const waitAfter = (attempts: number): number => timing.backoff * 4 ** Math.max(0, attempts - 1);
  /** When a row may be claimed. A time further away than any wait was written down while the clock was wrong: it is due. */
  const dueAt = (
    row: Pick<Row, 'state' | 'attempts' | 'not_before' | 'leased_until'>,
    now: number,
  ): number => {
    const isRunning = row.state === 'running';
    const at = isRunning ? row.leased_until : row.not_before;
    return at > now + (isRunning ? timing.lease : waitAfter(row.attempts)) ? now : at;
  };
  const show = (row: Row): QueuedUpdate => ({
    id: row.id,
    input: JSON.parse(row.input) as unknown,
    state: row.state,
    acceptedAt: row.accepted_at,
    attempts: row.attempts,
    reason: row.reason,
    nextAttemptAt: row.state === 'waiting' && row.attempts > 0 ? dueAt(row, clock()) : null,
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
  });

  const claim = database.transaction((): Claim | null => {
    const row = oldest.get() as Row | undefined;
    const now = clock();
    if (row === undefined || dueAt(row, now) > now) return null;
    confirm();
    begin.run({ id: row.id, fence: row.fence, until: now + timing.lease });
    const begun = { ...row, state: 'running' as const, attempts: row.attempts + 1 };
    const isExhausted = row.state === 'running' && row.attempts >= timing.attempts;
    const isLast = begun.attempts >= timing.attempts;
    return { update: show(begun), fence: row.fence + 1, isExhausted, isLast };
  });
  const saveProgress = database.transaction(({ update: { id }, fence }: Claim, saved: Uint8Array) => {
    if (countAnew.run({ id, fence }).changes === 0) return false;
    keepProgress.run({ id, progress: saved });
    return true;
  });
  const drop = database.transaction((id: string) => {
    if (cancel.run({ id }).changes === 0) return false;
    forgetProgress.run(id);
    confirm();
    return true;
  });
  const putBack = database.transaction((id: string) => {
    confirm();
    return retry.run({ id }).changes === 1;
  });
  const finish = database.transaction(({ update: { id }, fence }: Claim, result: unknown) => {
    if (complete.run({ id, fence, result: JSON.stringify(result ?? null) }).changes === 0) return false;
    forgetProgress.run(id);
    return true;
  });

  return {
    accept: async (input, key, as = { id: randomUUID(), at: clock() }) => accept.immediate(input, key, as),
    find(id) {
      const [row, other] = (/^[0-9a-f-]{4,36}$/i.test(id) ? like.all(id) : []) as Row[];
      return row === undefined || other !== undefined ? undefined : show(row);
    },
    stateOf: (id) => state.get(id) as UpdateState | undefined,
    counts() {
      const counted = { waiting: 0, running: 0, done: 0, parked: 0, cancelled: 0 };
      for (const row of counts.all() as { state: UpdateState; count: number }[])
        counted[row.state] = row.count;
      return counted;
    },
    list: ({ state: wanted, limit }) => (some.all({ state: wanted ?? null, limit }) as Row[]).map(show),
    cancel: async (id) => drop.immediate(id),
    retry: async (id) => putBack.immediate(id),
    claim: () => claim.immediate(),
    next() {
      const row = next.get() as Omit<Row, 'accepted_at' | 'input' | 'result' | 'fence'> | undefined;
      if (row === undefined) return null;
      const { id, state: present, attempts, reason } = row;
      const at = dueAt(row, clock());
      return { id, state: present, attempts, reason, mostAttempts: timing.attempts, at };
    },
    renew: ({ update, fence }) =>
      renew.run({ id: update.id, fence, until: clock() + timing.lease }).changes === 1,
    progress: (id) => (progress.get(id) as Uint8Array | undefined) ?? null,
    saveProgress: (...saved) => saveProgress.immediate(...saved),
    complete: (...finished) => finish.immediate(...finished),
    fail({ update, fence }, reason, again = 'later') {
      const attempts = Number(attemptsOf.get(update.id));
      const isLast = again === 'never' || attempts >= timing.attempts;
      const row = {
        id: update.id,
        fence,
        reason,
        state: isLast ? 'parked' : 'waiting',
        notBefore: again === 'at-once' ? 0 : clock() + waitAfter(attempts),
      };
      return fail.run(row).changes === 1;
    },
    release: ({ update, fence }) => release.run({ id: update.id, fence }).changes === 1,
  };
}
