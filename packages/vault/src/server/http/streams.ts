import type { Caller } from '../auth/auth.ts';
import { Problem } from './problem.ts';

/** The streams that are open. Each holds a connection for as long as somebody listens, and may do so. */
export type Streams = {
  /**
   * Makes room for one more. When there is none, whoever has the most loses the oldest of theirs, and can come back; throws
   * when that is the caller.
   */
  check(caller: Caller | null): void;
  /** The same stream until it ends, nobody reads it any more, or the caller would not be let in now; `ending` ends it. */
  count(
    body: ReadableStream<Uint8Array>,
    caller: Caller | null,
    ending?: AbortSignal,
  ): ReadableStream<Uint8Array>;
  open(): number;
  close(): void;
};

type Parts = {
  most: number;
  isStillValid: (caller: Caller) => boolean;
  /** Between two looks at who still may listen, in milliseconds. */
  lookEvery: number;
};

type Open = { caller: Caller | null; stop: () => void };

export function createStreams({ most, isStillValid, lookEvery }: Parts): Streams {
  const all = new Set<Open>();
  const timer = setInterval(() => {
    for (const each of all) if (each.caller !== null && !isAllowed(each.caller, isStillValid)) each.stop();
  }, lookEvery);
  timer.unref();
  return {
    open: () => all.size,
    check(caller) {
      if (all.size < most) return;
      const byCaller = Map.groupBy(all, (each) => each.caller?.id);
      const [largest = []] = [...byCaller.values()].toSorted((a, b) => b.length - a.length);
      if (largest.length > (byCaller.get(caller?.id)?.length ?? 0) + 1) return largest[0]?.stop();
      throw new Problem('too-many', {
        detail: `${all.size} streams are open`,
        headers: { 'retry-after': '5' },
      });
    },
    count(body, caller, ending) {
      const reader = body.getReader();
      const over = (): void => {
        all.delete(own);
        ending?.removeEventListener('abort', stop);
      };
      const stop = (): void => {
        over();
        void reader.cancel().catch(() => undefined);
      };
      const own = { caller, stop };
      all.add(own);
      ending?.addEventListener('abort', stop, { once: true });
      if (ending?.aborted === true) stop();
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            try {
              const { done, value } = await reader.read();
              if (!done) return controller.enqueue(value);
            } catch {
              // Whatever broke, the other side only sees an end: what it says is not for them.
            }
            over();
            controller.close();
          },
          async cancel(reason) {
            over();
            await reader.cancel(reason);
          },
        },
        // Nothing is read ahead of whoever listens.
        { highWaterMark: 0 },
      );
    },
    close: () => clearInterval(timer),
  };
}

/** Who cannot be judged is not let in now, either. */
function isAllowed(caller: Caller, isStillValid: (caller: Caller) => boolean): boolean {
  try {
    return isStillValid(caller);
  } catch {
    return false;
  }
}
