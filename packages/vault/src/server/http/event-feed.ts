import type { VaultService } from '../../app/index.ts';
import { createEventBuffer } from './event-buffer.ts';
import type { HttpLimits } from './limits.ts';

/** Streams events to any number of clients. */
export type EventFeed = {
  /**
   * Streams the events after this id, or only new events if there is no id. Sends `reset` first if events after the id
   * were dropped.
   */
  subscribe(lastEventId?: string): ReadableStream<Uint8Array>;
  /** The id of the newest event. */
  position(): string;
  close(): void;
};

type EventFeedOptions = Pick<VaultService, 'events' | 'visibilityKey'> & {
  limits: Pick<HttpLimits, 'maxBufferedEvents' | 'maxBufferedEventBytes' | 'heartbeatIntervalMs'>;
};

type WakeReason = 'event' | 'heartbeat';

/**
 * A client is only a position in the shared buffer of events, so a slow client takes up no memory. It gets a `reset`
 * when the events at its position have been dropped.
 */
export function createEventFeed({ events, visibilityKey, limits }: EventFeedOptions): EventFeed {
  const buffer = createEventBuffer(limits);
  let lastVisibilityKey = visibilityKey();
  /** When the exclusion patterns change, buffered events may name files that are hidden now. */
  const clearIfVisibilityChanged = (): void => {
    const now = visibilityKey();
    if (now !== lastVisibilityKey) buffer.clear();
    lastVisibilityKey = now;
  };
  const waiters = new Set<(why: WakeReason) => void>();
  let isClosed = false;
  const wake = (why: WakeReason): void => {
    const all = [...waiters];
    waiters.clear();
    for (const each of all) each(why);
  };
  const stopListening = events.subscribe((event) => {
    clearIfVisibilityChanged();
    buffer.add(event);
    wake('event');
  });
  const timer = setInterval(() => wake('heartbeat'), limits.heartbeatIntervalMs);
  timer.unref();

  const reset = (): Buffer =>
    Buffer.from(`id: ${buffer.formatId(buffer.lastNumber())}\nevent: reset\ndata: {}\n\n`);
  const formatGreeting = (at: number): Buffer =>
    Buffer.from(`: connected\nretry: 2000\nid: ${buffer.formatId(at)}\nevent: connected\ndata: {}\n\n`);

  return {
    position: () => buffer.formatId(buffer.lastNumber()),
    subscribe(lastEventId) {
      clearIfVisibilityChanged();
      const from = lastEventId === undefined ? buffer.lastNumber() : buffer.parseId(lastEventId);
      let at = from ?? buffer.lastNumber();
      let first: Buffer | null = from === null ? reset() : formatGreeting(at);
      let ownWaiter: ((why: WakeReason) => void) | null = null;
      const waitForEvent = (): Promise<WakeReason> =>
        new Promise((resolve) => {
          ownWaiter = resolve;
          waiters.add(resolve);
        });
      const next = async (): Promise<Buffer | null> => {
        const why = isClosed || first !== null || at < buffer.lastNumber() ? 'event' : await waitForEvent();
        if (isClosed) return null;
        if (first !== null) {
          const bytes = first;
          first = null;
          return bytes;
        }
        if (why === 'heartbeat') return heartbeat;
        clearIfVisibilityChanged();
        const batch = buffer.after(at);
        at = batch?.last ?? buffer.lastNumber();
        return batch?.bytes ?? reset();
      };
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const bytes = await next();
            if (bytes === null) controller.close();
            else controller.enqueue(bytes);
          },
          cancel() {
            if (ownWaiter !== null) waiters.delete(ownWaiter);
          },
        },
        // Reads from the buffer only when the client can receive.
        { highWaterMark: 0 },
      );
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      stopListening();
      wake('event');
    },
  };
}

/** An SSE comment that keeps the connection alive. */
const heartbeat = Buffer.from(': heartbeat\n\n');
