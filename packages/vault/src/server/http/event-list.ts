import { randomBytes } from 'node:crypto';
import type { KeepsakeEvent } from '../../contract/index.ts';
import type { Limits } from './limits.ts';

/** The latest events, numbered, in the form in which they are sent. */
export type EventList = {
  add(event: KeepsakeEvent): void;
  /** Keeps none of them any longer. */
  forget(): void;
  /** The number of the newest one; 0 before the first. */
  newest(): number;
  idOf(number: number): string;
  /** The number of the event with this id; null when it, or what came after it, is not kept. */
  numberOf(id: string): number | null;
  /** Some of what came after this one, in order; null when that is not kept any more. */
  after(number: number): { bytes: Buffer; last: number } | null;
};

/** What is handed over at once, unless one event alone is more. */
const batchBytes = 64_000;

const encoder = new TextEncoder();

export function createEventList(limits: Pick<Limits, 'events' | 'eventBytes'>): EventList {
  // Ids of another process mean nothing here.
  const epoch = randomBytes(6).toString('hex');
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let newest = 0;
  const lost = (): number => newest - kept.length;
  const idOf = (number: number): string => `${epoch}-${number}`;
  return {
    idOf,
    newest: () => newest,
    add(event) {
      newest += 1;
      // In memory of its own: a small buffer would keep the whole block that it shares with what is gone.
      const frame = encoder.encode(
        `id: ${idOf(newest)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      kept.push(frame);
      keptBytes += frame.length;
      while (kept.length > limits.events || (keptBytes > limits.eventBytes && kept.length > 1))
        keptBytes -= kept.shift()?.length ?? 0;
    },
    forget() {
      kept.length = 0;
      keptBytes = 0;
    },
    numberOf(id) {
      const [, from, digits] = /^([0-9a-f]+)-(\d{1,15})$/.exec(id) ?? [];
      const number = Number(digits);
      return from === epoch && number <= newest && number >= lost() ? number : null;
    },
    after(number) {
      if (number < lost()) return null;
      const frames: Uint8Array[] = [];
      for (let size = 0; number + frames.length < newest && size < batchBytes;) {
        const frame = kept[number + frames.length - lost()] ?? new Uint8Array();
        frames.push(frame);
        size += frame.length;
      }
      return { bytes: Buffer.concat(frames), last: number + frames.length };
    },
  };
}
