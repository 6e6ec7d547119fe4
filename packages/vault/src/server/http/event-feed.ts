import type { Served } from '../../app/index.ts';
import { createEventList } from './event-list.ts';
import type { Limits } from './limits.ts';

/** Events as they happen, for any number of listeners. */
export type EventFeed = {
  /** After the event with this id, or from now on. Says `reset` first when events after it are lost. */
  follow(lastEventId?: string): ReadableStream<Uint8Array>;
  close(): void;
};

type Parts = Pick<Served, 'events' | 'sight'> & {
  limits: Pick<Limits, 'events' | 'eventBytes' | 'heartbeat'>;
};

type Woken = 'event' | 'heartbeat';

/**
 * A listener is only a position in the one list of events: one that reads slowly holds no memory, and when the list has
 * moved on without it, it is told so.
 */
export function createEventFeed({ events, sight, limits }: Parts): EventFeed {
  const list = createEventList(limits);
  let seen = sight();
  /** What was told before may name what is kept back by now. */
  const lookAgain = (): void => {
    const now = sight();
    if (now !== seen) list.forget();
    seen = now;
  };
  const sleeping = new Set<(why: Woken) => void>();
  let isClosed = false;
  const wake = (why: Woken): void => {
    const all = [...sleeping];
    sleeping.clear();
    for (const each of all) each(why);
  };
  const stopListening = events.listen((event) => {
    lookAgain();
    list.add(event);
    wake('event');
  });
  const timer = setInterval(() => wake('heartbeat'), limits.heartbeat);
  timer.unref();

  const reset = (): Buffer => Buffer.from(`id: ${list.idOf(list.newest())}\nevent: reset\ndata: {}\n\n`);
  const begin = (at: number): Buffer => Buffer.from(`: connected\nretry: 2000\nid: ${list.idOf(at)}\n\n`);

  return {
    follow(lastEventId) {
      lookAgain();
      const from = lastEventId === undefined ? list.newest() : list.numberOf(lastEventId);
      let at = from ?? list.newest();
      let first: Buffer | null = from === null ? reset() : begin(at);
      let asleep: ((why: Woken) => void) | null = null;
      const sleep = (): Promise<Woken> =>
        new Promise((resolve) => {
          asleep = resolve;
          sleeping.add(resolve);
        });
      const next = async (): Promise<Buffer | null> => {
        const why = isClosed || first !== null || at < list.newest() ? 'event' : await sleep();
        if (isClosed) return null;
        if (first !== null) {
          const bytes = first;
          first = null;
          return bytes;
        }
        if (why === 'heartbeat') return heartbeat;
        lookAgain();
        const batch = list.after(at);
        at = batch?.last ?? list.newest();
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
            if (asleep !== null) sleeping.delete(asleep);
          },
        },
        // Nothing is taken from the list before it can be sent.
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

/** A comment: keeps the connection from being taken for dead. */
const heartbeat = Buffer.from(': still here\n\n');
