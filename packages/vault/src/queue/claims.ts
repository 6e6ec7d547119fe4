import type { Database } from 'better-sqlite3';
import { fromStoredReason, toStoredReason } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import type { NotifyIf } from './change-listeners.ts';
import type { Claim, QueuedUpdate, UpdateQueue } from './port.ts';
import type { ProgressStore } from './progress-store.ts';
import { dueAt, waitAfter } from './queue-timing.ts';
import type { QueueTiming } from './queue-timing.ts';
import type { UpdateRow } from './update-row.ts';

type Options = {
  clock: Clock;
  timing: QueueTiming;
  confirm: () => void;
  notifyIf: NotifyIf;
  /** Makes an update of a row. */
  show: (row: UpdateRow) => QueuedUpdate;
  progress: ProgressStore;
};

const first = `from updates where state in ('waiting', 'running') order by seq limit 1`;
/** Whose fence is another has lost the claim: each claim raises it by one. */
const mine = `state = 'running' and fence = @fence`;

/** Whose turn it is, and the work on it under a lease. */
export function createClaims(
  database: Database,
  { clock, timing, confirm, notifyIf, show, progress }: Options,
): Pick<UpdateQueue, 'claim' | 'next' | 'renew' | 'saveProgress' | 'complete' | 'fail' | 'release'> {
  const oldest = database.prepare(`select * ${first}`);
  // Asked often, so without the input.
  const next = database.prepare(`select id, state, attempts, reason, not_before, leased_until ${first}`);
  const attemptsOf = database.prepare('select attempts from updates where id = ?').pluck();
  const change = (set: string, where = mine) =>
    database.prepare(`update updates set ${set} where id = @id and ${where}`);
  const begin = change(
    `state = 'running', attempts = attempts + 1, fence = fence + 1, leased_until = @until`,
    'fence = @fence',
  );
  const renew = change('leased_until = @until');
  const complete = change(`state = 'done', result = @result, reason = null`);
  const fail = change(`state = @state, reason = @reason, not_before = @notBefore`);
  const release = change(`state = 'waiting', attempts = attempts - 1`);
  const countAnew = change('attempts = 1');

  const claim = database.transaction((): Claim | null => {
    const row = oldest.get() as UpdateRow | undefined;
    const now = clock();
    if (row === undefined || dueAt(row, now, timing) > now) return null;
    confirm();
    begin.run({ id: row.id, fence: row.fence, until: now + timing.lease });
    const begun = { ...row, state: 'running' as const, attempts: row.attempts + 1 };
    const isExhausted = row.state === 'running' && row.attempts >= timing.attempts;
    const isLast = begun.attempts >= timing.attempts;
    return { update: show(begun), fence: row.fence + 1, isExhausted, isLast };
  });
  const saveProgress = database.transaction(({ update: { id }, fence }: Claim, saved: Uint8Array) => {
    if (countAnew.run({ id, fence }).changes === 0) return false;
    progress.keep(id, saved);
    return true;
  });
  const finish = database.transaction(({ update: { id }, fence }: Claim, result: unknown) => {
    if (complete.run({ id, fence, result: JSON.stringify(result ?? null) }).changes === 0) return false;
    progress.forget(id);
    return true;
  });
  return {
    claim() {
      const claimed = claim.immediate();
      notifyIf(claimed !== null);
      return claimed;
    },
    next() {
      const row = next.get() as
        | Omit<UpdateRow, 'accepted_at' | 'input' | 'files' | 'result' | 'fence'>
        | undefined;
      if (row === undefined) return null;
      const { id, state, attempts } = row;
      const reason = row.reason === null ? null : fromStoredReason(row.reason);
      return { id, state, attempts, reason, mostAttempts: timing.attempts, at: dueAt(row, clock(), timing) };
    },
    renew: ({ update, fence }) =>
      renew.run({ id: update.id, fence, until: clock() + timing.lease }).changes === 1,
    saveProgress: (...saved) => saveProgress.immediate(...saved),
    complete: (...finished) => notifyIf(finish.immediate(...finished)),
    fail({ update, fence }, reason, again = 'later') {
      const attempts = Number(attemptsOf.get(update.id));
      const isLast = again === 'never' || attempts >= timing.attempts;
      const row = {
        id: update.id,
        fence,
        reason: JSON.stringify(toStoredReason(reason)),
        state: isLast ? 'parked' : 'waiting',
        notBefore: again === 'at-once' ? 0 : clock() + waitAfter(attempts, timing),
      };
      return notifyIf(fail.run(row).changes === 1);
    },
    release: ({ update, fence }) => notifyIf(release.run({ id: update.id, fence }).changes === 1),
  };
}
