import { Problem } from './problem.ts';

/** How many streams are open. Each holds a connection for as long as somebody listens. */
export type Streams = {
  /** Throws when there are too many. */
  check(): void;
  /** The same stream, counted until it ends or nobody reads it any more; `ending` ends it. */
  count(body: ReadableStream<Uint8Array>, ending?: AbortSignal): ReadableStream<Uint8Array>;
  open(): number;
};

export function createStreams(most: number): Streams {
  let open = 0;
  return {
    open: () => open,
    check() {
      if (open >= most)
        throw new Problem('too-many', {
          detail: `${open} streams are open`,
          headers: { 'retry-after': '5' },
        });
    },
    count(body, ending) {
      const reader = body.getReader();
      let isOver = false;
      open += 1;
      const over = (): void => {
        if (isOver) return;
        isOver = true;
        open -= 1;
        ending?.removeEventListener('abort', stop);
      };
      const stop = (): void => void reader.cancel().catch(() => undefined);
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
  };
}
