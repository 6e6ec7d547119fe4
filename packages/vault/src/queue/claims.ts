import type { Database, Transaction } from 'better-sqlite3';
import { fromStoredReason, toStoredReason } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import type { NotifyIf } from './change-listeners.ts';
import type { Claim, ClaimOrder, QueuedUpdate, UpdateQueue } from './update-queue.ts';
import type { ProgressStore } from './progress-store.ts';
import { dueAt, backoffMsAfter, waitMsAfter } from './queue-timing.ts';
import type { QueueOptions } from './queue-timing.ts';
import type { UpdateRow } from './update-row.ts';

type Options = {
  clock: Clock;
  timing: QueueOptions;
  assertNotReplaced: () => void;
  notifyIf: NotifyIf;
  toQueuedUpdate: (row: UpdateRow) => QueuedUpdate;
  progress: ProgressStore;
};

const oldestOpen = `from updates where state in ('waiting', 'running') order by seq limit 1`;
/** Each claim increments the fence, so a different fence means that the claim was lost. */
const ownedByClaim = `state = 'running' and fence = @fence`;

/** The part of the queue that leases the oldest open update to one worker at a time. */
export function createClaims(
  database: Database,
  { clock, timing, assertNotReplaced, notifyIf, toQueuedUpdate, progress }: Options,
): Pick<UpdateQueue, 'claim' | 'peek' | 'renew' | 'saveProgress' | 'complete' | 'fail' | 'release'> {
  // Polled often, so it does not read the input.
  const selectHead = database.prepare(
    `select id, state, attempts, reason, not_before, leased_until ${oldestOpen}`,
  );
  const selectAttempts = database.prepare('select attempts from updates where id = ?').pluck();
  const change = (set: string) =>
    database.prepare(`update updates set ${set} where id = @id and ${ownedByClaim}`);
  const renew = change('leased_until = @until');
  const complete = change(`state = 'done', result = @result, reason = null`);
  const fail = change(`state = @state, attempts = @attempts, reason = @reason, not_before = @notBefore`);
  const release = change(`state = @state, attempts = attempts - @attempt`);
  const resetAttempts = change('attempts = @attempt');

  const claim = createClaim(database, { clock, timing, assertNotReplaced, toQueuedUpdate });
  const saveProgress = database.transaction((claimed: Claim, saved: Uint8Array) => {
    const { fence } = claimed;
    const { id } = claimed.update;
    if (resetAttempts.run({ id, fence, attempt: Number(claimed.isAttempt) }).changes === 0) return false;
    progress.save(id, saved);
    return true;
  });
  const finish = database.transaction(({ update: { id }, fence }: Claim, result: unknown) => {
    if (complete.run({ id, fence, result: JSON.stringify(result ?? null) }).changes === 0) return false;
    progress.delete(id);
    return true;
  });
  return {
    claim(...which) {
      const claimed = claim.immediate(...which);
      notifyIf(claimed !== null);
      return claimed;
    },
    peek() {
      const row = selectHead.get() as
        | Omit<UpdateRow, 'accepted_at' | 'input' | 'files' | 'content_hash' | 'result' | 'fence'>
        | undefined;
      if (row === undefined) return null;
      const { id, state, attempts } = row;
      const reason = row.reason === null ? null : fromStoredReason(row.reason);
      return {
        id,
        state,
        attempts,
        reason,
        maxAttempts: timing.maxAttempts,
        claimableAt: dueAt(row, clock(), timing),
      };
    },
    renew: ({ update, fence }) =>
      renew.run({ id: update.id, fence, until: clock() + timing.leaseMs }).changes === 1,
    saveProgress: (...saved) => saveProgress.immediate(...saved),
    complete: (...finished) => notifyIf(finish.immediate(...finished)),
    fail({ update, fence, isAttempt }, reason, again = 'backoff') {
      const started = Number(selectAttempts.get(update.id));
      const isWait = again === 'until-available';
      const attempts = isWait && isAttempt ? started - 1 : started;
      const isFinal = again === 'never' || (!isWait && attempts >= timing.maxAttempts);
      // The fence counts every claim, so the difference is the number of claims that did not count as attempts.
      const delay = isWait ? waitMsAfter(fence - attempts, timing) : backoffMsAfter(attempts, timing);
      const row = {
        id: update.id,
        fence,
        attempts,
        reason: JSON.stringify(toStoredReason(reason)),
        state: isFinal ? 'parked' : 'waiting',
        notBefore: again === 'immediately' ? 0 : clock() + delay,
      };
      return notifyIf(fail.run(row).changes === 1);
    },
    release({ update, fence, isAttempt, releasedState: state }) {
      const released = release.run({ id: update.id, fence, state, attempt: Number(isAttempt) });
      return notifyIf(released.changes === 1);
    },
  };
}

/** The transaction that starts a claim. */
function createClaim(
  database: Database,
  {
    clock,
    timing,
    assertNotReplaced,
    toQueuedUpdate,
  }: Pick<Options, 'clock' | 'timing' | 'assertNotReplaced' | 'toQueuedUpdate'>,
): Transaction<UpdateQueue['claim']> {
  const selectOldest = database.prepare(`select * ${oldestOpen}`);
  const selectUnfinished = database.prepare(
    `select * from updates where id = ? and state in ('waiting', 'running', 'parked')`,
  );
  const startAttempt = database.prepare(
    `update updates set state = 'running', attempts = attempts + @attempt, fence = fence + 1, leased_until = @until
     where id = @id and fence = @fence`,
  );
  return database.transaction((id?: string, order: ClaimOrder = 'alone'): Claim | null => {
    const oldest = selectOldest.get() as UpdateRow | undefined;
    const row = id === undefined ? oldest : (selectUnfinished.get(id) as UpdateRow | undefined);
    const now = clock();
    const isDue = (each: UpdateRow): boolean => dueAt(each, now, timing) <= now;
    const isLeased = (each: UpdateRow | undefined): boolean => each?.state === 'running' && !isDue(each);
    if (row === undefined || (order === 'alone' && isLeased(oldest)) || isLeased(row)) return null;
    const isAttempt = id === undefined || order === 'beside-others';
    if (isAttempt && (row.state === 'parked' || !isDue(row))) return null;
    assertNotReplaced();
    const attempt = Number(isAttempt);
    startAttempt.run({ id: row.id, fence: row.fence, attempt, until: now + timing.leaseMs });
    const started = { ...row, state: 'running' as const, attempts: row.attempts + attempt };
    // A running update without attempts left was parked before, or crashed in its last attempt.
    const isExhausted = row.state === 'running' && row.attempts >= timing.maxAttempts;
    return {
      update: toQueuedUpdate(started),
      fence: row.fence + 1,
      hasExhaustedAttempts: isAttempt && isExhausted,
      isFinalAttempt: started.attempts >= timing.maxAttempts,
      isAttempt,
      releasedState: row.state === 'parked' || (!isAttempt && isExhausted) ? 'parked' : 'waiting',
    };
  });
}
