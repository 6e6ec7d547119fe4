import type { Principal } from '../auth/auth.ts';
import { Problem } from './problem.ts';

/** The open streams. A stream is closed when its client disconnects or loses access. */
export type StreamRegistry = {
  /**
   * Makes room for one more stream. At the limit, closes the oldest stream of the caller with the most streams, who can
   * reconnect; throws if no other caller has at least two more streams than this one.
   */
  reserve(caller: Principal | null): void;
  /** Wraps a stream so that it counts until it ends, and ends when the caller loses access or the signal is aborted. */
  track(
    body: ReadableStream<Uint8Array>,
    caller: Principal | null,
    closeSignal?: AbortSignal,
  ): ReadableStream<Uint8Array>;
  open(): number;
  /** The users who have a stream open, each once: those who have the vault open in a browser. */
  users(): Principal[];
  close(): void;
};

type StreamRegistryOptions = {
  maxStreams: number;
  isStillValid: (caller: Principal) => boolean;
  /** Interval of the access checks, in milliseconds. */
  revalidateIntervalMs: number;
};

type Open = { caller: Principal | null; stop: () => void };

export function createStreamRegistry({
  maxStreams,
  isStillValid,
  revalidateIntervalMs,
}: StreamRegistryOptions): StreamRegistry {
  const all = new Set<Open>();
  const timer = setInterval(() => {
    for (const each of all) if (each.caller !== null && !isAllowed(each.caller, isStillValid)) each.stop();
  }, revalidateIntervalMs);
  timer.unref();
  return {
    open: () => all.size,
    users() {
      const users = [...all].flatMap(({ caller }) => (caller?.isUser === true ? [caller] : []));
      return [...new Map(users.map((user) => [user.id, user])).values()];
    },
    reserve(caller) {
      if (all.size < maxStreams) return;
      const byCaller = Map.groupBy(all, (each) => each.caller?.id);
      const [largest = []] = [...byCaller.values()].toSorted((a, b) => b.length - a.length);
      if (largest.length > (byCaller.get(caller?.id)?.length ?? 0) + 1) return largest[0]?.stop();
      throw new Problem('too-many', {
        detail: `too many open streams (${all.size})`,
        headers: { 'retry-after': '5' },
      });
    },
    track(body, caller, closeSignal) {
      const reader = body.getReader();
      const removeStream = (): void => {
        all.delete(own);
        closeSignal?.removeEventListener('abort', stop);
      };
      const stop = (): void => {
        removeStream();
        void reader.cancel().catch(() => undefined);
      };
      const own = { caller, stop };
      all.add(own);
      closeSignal?.addEventListener('abort', stop, { once: true });
      if (closeSignal?.aborted === true) stop();
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            try {
              const { done, value } = await reader.read();
              if (!done) return controller.enqueue(value);
              controller.close();
            } catch {
              // The client sees that the response is incomplete; the error message is not for it.
              controller.error(new Error('the response broke off'));
            }
            removeStream();
          },
          async cancel(reason) {
            removeStream();
            await reader.cancel(reason);
          },
        },
        // Reads only when the client can receive.
        { highWaterMark: 0 },
      );
    },
    close: () => clearInterval(timer),
  };
}

/** A caller whose access cannot be checked is rejected. */
function isAllowed(caller: Principal, isStillValid: (caller: Principal) => boolean): boolean {
  try {
    return isStillValid(caller);
  } catch {
    return false;
  }
}
