import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Clock, UpdateFile } from '../contract/index.ts';
import { createFileStore, describeFiles } from './file-store.ts';
import type { StoredFile } from './file-store.ts';
import type { AcceptedAs, Claim, QueuedUpdate, UpdateQueue, UpdateState } from './port.ts';

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
  files: string;
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
    `insert into updates (id, key, accepted_at, state, input, files) values (?, ?, ?, 'waiting', ?, ?) on conflict (key) do nothing`,
  );
  const byKey = database.prepare('select id from updates where key = ?').pluck();
  const state = database.prepare('select state from updates where id = ?').pluck();
  const attemptsOf = database.prepare('select attempts from updates where id = ?').pluck();
  const counts = database.prepare('select state, count(*) as count from updates group by state');
  // Ids are lower-case hexadecimal digits and dashes, all of which sort before g.
  const beginning = database.prepare(`select * from updates where id >= @id and id < @id || 'g' limit 2`);
  const first = `from updates where state in ('waiting', 'running') order by seq limit 1`;
  const oldest = database.prepare(`select * ${first}`);
  // Asked often, so without the input.
  const next = database.prepare(`select id, state, attempts, reason, not_before, leased_until ${first}`);
  const newest = database.prepare('select * from updates order by seq desc limit @limit');
  const newestIn = database.prepare(
    'select * from updates where state = @state order by seq desc limit @limit',
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

  const store = createFileStore(database, clock);
  const listeners = new Set<() => void>();
  /** Notifies the listeners of a change that was made. */
  const tellIf = (isChanged: boolean): boolean => {
    if (isChanged) for (const listener of listeners) listener();
    return isChanged;
  };
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
  const isKnown = (key: string | undefined, { id }: AcceptedAs): boolean =>
    state.get(id) !== undefined || (key !== undefined && byKey.get(key) !== undefined);
  const acceptStaged: UpdateQueue['accept'] = async (
    input,
    { files = [], key, as = { id: randomUUID(), at: clock() } } = {},
  ) => {
    const isStaged = files.length > 0 && !isKnown(key, as);
    let isNew = false;
    try {
      if (isStaged) await store.stage(as.id, files);
      const accepted = accept.immediate(input, files, key, as);
      ({ isNew } = accepted);
      tellIf(isNew);
      return accepted;
    } finally {
      // What cannot be removed now is removed with other unused files later.
      if (isStaged && !isNew) await store.remove(as.id).catch(() => undefined);
    }
  };
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
    files: JSON.parse(row.files) as StoredFile[],
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
    accept: acceptStaged,
    find(id) {
      const isBeginning = /^[0-9a-f-]{4,36}$/i.test(id);
      const [row, other] = (isBeginning ? beginning.all({ id: id.toLowerCase() }) : []) as Row[];
      return row === undefined || other !== undefined ? undefined : show(row);
    },
    readFiles: ({ id, files }) => store.read(id, files),
    removeUnusedFiles: () => store.removeUnused(),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stateOf: (id) => state.get(id) as UpdateState | undefined,
    counts() {
      const counted = { waiting: 0, running: 0, done: 0, parked: 0, cancelled: 0 };
      for (const row of counts.all() as { state: UpdateState; count: number }[])
        counted[row.state] = row.count;
      return counted;
    },
    list: ({ state: wanted, limit }) =>
      ((wanted === undefined ? newest : newestIn).all({ state: wanted, limit }) as Row[]).map(show),
    cancel: async (id) => tellIf(drop.immediate(id)),
    retry: async (id) => tellIf(putBack.immediate(id)),
    claim() {
      const claimed = claim.immediate();
      tellIf(claimed !== null);
      return claimed;
    },
    next() {
      const row = next.get() as Omit<Row, 'accepted_at' | 'input' | 'files' | 'result' | 'fence'> | undefined;
      if (row === undefined) return null;
      const { id, state: present, attempts, reason } = row;
      const at = dueAt(row, clock());
      return { id, state: present, attempts, reason, mostAttempts: timing.attempts, at };
    },
    renew: ({ update, fence }) =>
      renew.run({ id: update.id, fence, until: clock() + timing.lease }).changes === 1,
    progress: (id) => (progress.get(id) as Uint8Array | undefined) ?? null,
    saveProgress: (...saved) => saveProgress.immediate(...saved),
    complete: (...finished) => tellIf(finish.immediate(...finished)),
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
      return tellIf(fail.run(row).changes === 1);
    },
    release: ({ update, fence }) => tellIf(release.run({ id: update.id, fence }).changes === 1),
  };
}
