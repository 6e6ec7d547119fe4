import type { Keepsake } from '../app/index.ts';
import type { KeepsakeEvent } from '../contract/index.ts';

type Turn = NonNullable<ReturnType<Keepsake['agents']['updates']['next']>>;

type Seen = {
  /** Why an attempt failed that another process made; null when there is none, or when it was told. */
  failed: string | null;
  /** What is waited for at this moment; null while it is worked on here. */
  waiting: string | null;
  /** Whether it is another wait than before. */
  isNew: boolean;
};

/** What the events of this process do not tell about the update whose turn it is. */
export function followTurns(): {
  note(event: KeepsakeEvent): void;
  look(turn: Turn | null, now: number): Seen;
} {
  const told = { wait: '', failed: '' };
  let [begunHere, elsewhere] = ['', 0];
  return {
    note(event) {
      if (event.type === 'update-started') {
        begunHere = event.update;
        // Attempts are counted anew after one that came further, so the next wait may look like the last.
        told.wait = '';
      }
      if (event.type !== 'update-failed') return;
      begunHere = '';
      told.failed = event.update;
    },
    look(turn, now) {
      const isElsewhere = turn?.state === 'running' && turn.id !== begunHere;
      elsewhere = isElsewhere ? elsewhere + 1 : 0;
      const waiting = turn === null ? null : describeTurn(turn, now, elsewhere > looksBefore);
      if (turn === null || waiting === null) return { failed: null, waiting, isNew: false };
      const wait = `${turn.id} ${turn.state} ${turn.attempts}`;
      if (wait === told.wait) return { failed: null, waiting, isNew: false };
      const isTold = turn.state === 'running' || turn.id === told.failed;
      told.wait = wait;
      told.failed = '';
      return { failed: isTold || turn.reason === null ? null : turn.reason.text, waiting, isNew: true };
    },
  };
}

/** It is claimed a moment before anybody says that it was begun. */
const looksBefore = 1;

function describeTurn(turn: Turn, now: number, isElsewhere: boolean): string | null {
  const { id, state, attempts, mostAttempts, at } = turn;
  const short = id.slice(0, 8);
  if (state === 'running') return isElsewhere ? `another process works on ${short}` : null;
  if (attempts === 0 || at <= now) return null;
  const seconds = Math.ceil((at - now) / 1_000);
  return `attempt ${attempts + 1} of ${mostAttempts} in ${seconds} s; ${short} is kept meanwhile`;
}
