import { waitsForModel } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import type { KeepsakeEvent } from '../contract/index.ts';

type Turn = NonNullable<ReturnType<Keepsake['agents']['updates']['next']>>;

type QueueStatus = {
  /** Why an attempt by another process failed; null if none has failed, or if this was reported before. */
  failed: string | null;
  /** What this process is waiting for; null while it works on the update itself. */
  waiting: string | null;
  /** Whether `waiting` differs from the previous wait. */
  isNew: boolean;
};

/** Reports what the events of this process do not show about the next update in the queue. */
export function createQueueTracker(): {
  onEvent(event: KeepsakeEvent): void;
  poll(turn: Turn | null, now: number): QueueStatus;
} {
  const reported = { wait: '', failed: '' };
  let [startedHere, elsewhere] = ['', 0];
  return {
    onEvent(event) {
      if (event.type === 'update-started') {
        startedHere = event.update;
        // Progress resets the number of attempts, so the next wait may have the same key as the last one.
        reported.wait = '';
      }
      if (event.type !== 'update-failed') return;
      startedHere = '';
      reported.failed = event.update;
    },
    poll(turn, now) {
      const isElsewhere = turn?.state === 'running' && turn.id !== startedHere;
      elsewhere = isElsewhere ? elsewhere + 1 : 0;
      const waiting = turn === null ? null : describeTurn(turn, now, elsewhere > pollsBeforeRemote);
      if (turn === null || waiting === null) return { failed: null, waiting, isNew: false };
      const wait = `${turn.id} ${turn.state} ${turn.attempts}`;
      if (wait === reported.wait) return { failed: null, waiting, isNew: false };
      const wasReported = turn.state === 'running' || turn.id === reported.failed;
      reported.wait = wait;
      reported.failed = '';
      return { failed: wasReported || turn.reason === null ? null : turn.reason.text, waiting, isNew: true };
    },
  };
}

/** An update is claimed a moment before its start event, so the first poll may be too early to blame another process. */
const pollsBeforeRemote = 1;

function describeTurn(turn: Turn, now: number, isElsewhere: boolean): string | null {
  const { id, state, attempts, maxAttempts, claimableAt } = turn;
  const short = id.slice(0, 8);
  if (state === 'running') return isElsewhere ? `another process works on ${short}` : null;
  if (claimableAt <= now) return null;
  const seconds = Math.ceil((claimableAt - now) / 1_000);
  if (waitsForModel(turn)) return `next attempt in ${seconds} s; ${short} stays in the queue`;
  return `attempt ${attempts + 1} of ${maxAttempts} in ${seconds} s; ${short} stays in the queue`;
}
