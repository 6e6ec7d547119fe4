import { reasonFrom } from '../contract/index.ts';
import type { Clock, Reason, UpdateFile } from '../contract/index.ts';
import { traced } from '../trace/index.ts';
import { nextChange } from './next-change.ts';
import type { Again, Claim, QueuedUpdate, UpdateQueue } from './port.ts';

/** What became of an attempt. What it gives for a failure is what a person reads. */
export type Attempt = { kind: 'done'; result: unknown } | { kind: 'failed'; reason: Reason; again: Again };

/** One attempt at an update. */
export type Work = {
  update: QueuedUpdate;
  /** Its attempts are used up: it is only to be said whether it was done. */
  isExhausted: boolean;
  /** Whether a failure now would park it. */
  isLast(): boolean;
  /** The content of its files. */
  files(): Promise<UpdateFile[]>;
  /** What an earlier attempt saved; null when none did. */
  progress(): Uint8Array | null;
  saveProgress(progress: Uint8Array): void;
};

export type QueueRunner = {
  /** Another process may have accepted something. Changes through the same queue are noticed without it. */
  wake(): void;
  /** Asks the handler to stop, waits for it, and gives back what it was working on. */
  stop(): Promise<void>;
};

type Parts = {
  queue: UpdateQueue;
  /**
   * Does the work. It may run again for the same update after a crash, so its effects must be bound to the update's id:
   * committing twice under one id changes nothing the second time. When it is stopped, it throws: a failure that it
   * returns counts as an attempt.
   */
  handle: (work: Work, signal: AbortSignal) => Promise<Attempt>;
  /** Asked before an update is begun whose turn has come; until it is so, nothing is. Must not throw. */
  isReady?: () => boolean;
  clock: Clock;
  /** Told of a failed attempt once the queue has recorded it. Must not throw. */
  onFailed?: (id: string, reason: Reason) => void;
  /** Told when something broke that is not the handler's to explain. Must not throw. */
  onError: (error: unknown) => void;
  /** How often a claim is renewed, and an idle queue asked for what other processes did, in milliseconds. */
  every?: number;
};

/** Works through a queue, one update after the other, until it is stopped. */
export function runQueue(parts: Parts): QueueRunner {
  const { queue, handle, isReady = () => true, clock, onFailed, onError, every = 2_000 } = parts;
  const stopping = new AbortController();
  let awake = new AbortController();

  const fail = (claim: Claim, reason: Reason, again?: Again): void => {
    if (queue.fail(claim, reason, again)) onFailed?.(claim.update.id, reason);
  };

  const work = async (claim: Claim): Promise<void> => {
    // Without its claim it must stop: somebody else may have begun the same update.
    const lost = new AbortController();
    const renewing = setInterval(() => {
      try {
        if (!queue.renew(claim)) lost.abort(new Error('another process took over'));
      } catch (error) {
        // A busy or full disk: the lease is long enough for another try.
        onError(error);
      }
    }, every);
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    try {
      const attempt = await traced({ work: 'update' }, () => handle(workOn(queue, claim), signal));
      if (attempt.kind === 'done') queue.complete(claim, attempt.result);
      else fail(claim, attempt.reason, attempt.again);
    } catch (error) {
      if (stopping.signal.aborted) queue.release(claim);
      else fail(claim, reasonFrom(error));
      if (!signal.aborted) onError(error);
    } finally {
      clearInterval(renewing);
    }
  };

  /** How long until the next turn, or until the next look. */
  const untilNext = (): number => {
    const next = queue.next();
    return next === null ? every : Math.min(every, next.at - clock());
  };

  const rest = async (wait: number): Promise<void> => {
    await nextChange(queue, wait, AbortSignal.any([awake.signal, stopping.signal]));
    awake = new AbortController();
  };

  const tidy = async (): Promise<void> => {
    try {
      await queue.removeUnusedFiles();
    } catch (error) {
      // They take up room and nothing else: the next update removes them.
      onError(error);
    }
  };

  const loop = async (): Promise<void> => {
    await tidy();
    while (!stopping.signal.aborted) {
      try {
        const wait = untilNext();
        if (wait > 0) await rest(wait);
        else if (!isReady()) await rest(every);
        else {
          const claim = queue.claim();
          // Somebody else was faster.
          if (claim === null) await rest(1);
          else {
            await work(claim);
            if (claim.update.files.length > 0) await tidy();
          }
        }
      } catch (error) {
        onError(error);
        await rest(every);
      }
    }
  };
  const running = loop();
  return {
    wake: () => awake.abort(),
    async stop() {
      stopping.abort(new Error('stopping'));
      await running;
    },
  };
}

function workOn(queue: UpdateQueue, claim: Claim): Work {
  const { update, isExhausted } = claim;
  let hasComeFurther = false;
  return {
    update,
    isExhausted,
    isLast: () => claim.isLast && !hasComeFurther,
    files: () => queue.readFiles(update),
    progress: () => queue.progress(update.id),
    saveProgress(progress) {
      hasComeFurther = queue.saveProgress(claim, progress) || hasComeFurther;
    },
  };
}
