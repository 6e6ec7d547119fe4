/** The id of an event, such as `0a1b2c-17`: the process that numbered it, and its number. */
type EventId = { process: string; number: number };

/**
 * Finds out whether responses are older than the event stream. Both start at the same time; an event in between is in neither, so
 * that such responses have to be requested again.
 */
export type Freshness = {
  /** Notes the position of a response, the id of the newest event that it includes. */
  addResponse(position: string | null): void;
  /** Notes the id of the event that a stream starts after. */
  addStream(position: string): void;
};

export function createFreshness(onStale: () => void): Freshness {
  let oldest: EventId | null = null;
  let stream: EventId | null = null;
  const check = (): void => {
    if (stream === null || oldest === null || !isOlder(oldest, stream)) return;
    oldest = null;
    onStale();
  };
  return {
    addResponse(position) {
      const id = position === null ? null : parseEventId(position);
      if (id === null) return;
      if (oldest === null || isOlder(id, oldest)) oldest = id;
      check();
    },
    addStream(position) {
      stream = parseEventId(position);
      check();
    },
  };
}

function parseEventId(id: string): EventId | null {
  const [, process, digits] = /^([0-9a-f]+)-(\d+)$/.exec(id) ?? [];
  return process === undefined ? null : { process, number: Number(digits) };
}

/** Responses of another process count as older, because their numbers cannot be compared. */
function isOlder(a: EventId, b: EventId): boolean {
  return a.process !== b.process || a.number < b.number;
}
