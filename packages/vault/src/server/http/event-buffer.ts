import { randomBytes } from 'node:crypto';
import type { KeepsakeEvent } from '../../contract/index.ts';
import type { HttpLimits } from './limits.ts';

/** A bounded buffer of the latest events, numbered and encoded as they are sent. */
export type EventBuffer = {
  add(event: KeepsakeEvent): void;
  /** Drops all events. */
  clear(): void;
  /** The number of the newest event; 0 before the first. */
  lastNumber(): number;
  formatId(number: number): string;
  /** The number of the event with this id; null if the id is unknown or events after it were dropped. */
  parseId(id: string): number | null;
  /** The next batch of events after this number, in order; null if some of them were dropped. */
  after(number: number): { bytes: Buffer; last: number } | null;
};

/** A batch is larger only if a single event is. */
const maxBatchBytes = 64_000;

const encoder = new TextEncoder();

export function createEventBuffer(
  limits: Pick<HttpLimits, 'maxBufferedEvents' | 'maxBufferedEventBytes'>,
): EventBuffer {
  // Distinguishes the ids of this process from those of earlier ones.
  const epoch = randomBytes(6).toString('hex');
  const frames: Uint8Array[] = [];
  let bufferedBytes = 0;
  let lastNumber = 0;
  const lastDropped = (): number => lastNumber - frames.length;
  const formatId = (number: number): string => `${epoch}-${number}`;
  return {
    formatId,
    lastNumber: () => lastNumber,
    add(event) {
      lastNumber += 1;
      // A separate allocation: a small `Buffer` would retain the whole pool that it shares with dropped events.
      const frame = encoder.encode(
        `id: ${formatId(lastNumber)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      frames.push(frame);
      bufferedBytes += frame.length;
      while (
        frames.length > limits.maxBufferedEvents ||
        (bufferedBytes > limits.maxBufferedEventBytes && frames.length > 1)
      )
        bufferedBytes -= frames.shift()?.length ?? 0;
    },
    clear() {
      frames.length = 0;
      bufferedBytes = 0;
    },
    parseId(id) {
      const [, from, digits] = /^([0-9a-f]+)-(\d{1,15})$/.exec(id) ?? [];
      const number = Number(digits);
      return from === epoch && number <= lastNumber && number >= lastDropped() ? number : null;
    },
    after(number) {
      if (number < lastDropped()) return null;
      const batch: Uint8Array[] = [];
      for (let size = 0; number + batch.length < lastNumber && size < maxBatchBytes;) {
        const frame = frames[number + batch.length - lastDropped()] ?? new Uint8Array();
        batch.push(frame);
        size += frame.length;
      }
      return { bytes: Buffer.concat(batch), last: number + batch.length };
    },
  };
}
