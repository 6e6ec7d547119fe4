/** Opens items on demand and suspends those that have not been used for a while. */
export type IdlePool<Here, Elsewhere> = {
  /** Names of the items that are open or being opened. */
  names(): string[];
  /** The items that are open, without those that are being opened. */
  all(): Here[];
  /** Opens the item if necessary. It stays open at least until the response is sent. */
  acquire(name: string, answer: PendingResponse): Promise<Location<Here, Elsewhere>>;
  /** Closes the item even if it is in use; a request to open it again waits until it is closed. */
  evict(name: string, close?: (here: Here) => Promise<void>): void;
  /**
   * Closes the item once pending requests have a response. Responses that are still streaming are ended by the close.
   */
  drain(name: string): void;
  /** Suspends the items that are not in use and were not used within the idle timeout. */
  evictIdle(): Promise<void>;
  /** Drains all items. */
  drainAll(): Promise<void>;
};

/** The item, if it is open in this process, or its location. */
type Location<Here, Elsewhere> = { here: Here } | { elsewhere: Elsewhere };

/** The response to a request, until it is closed. */
type PendingResponse = {
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  once(event: 'close', listener: () => void): unknown;
};

type IdlePoolOptions<Here, Elsewhere> = {
  open: (name: string) => Promise<Location<Here, Elsewhere>>;
  /** Called in place of `close` for an idle item. */
  suspend: (here: Here) => Promise<void>;
  close: (here: Here) => Promise<void>;
  /** Whether the item has background work. */
  isBusy: (here: Here) => boolean | Promise<boolean>;
  /** In milliseconds. */
  idleTimeoutMs: number;
  /** Must not throw. */
  onError: (error: unknown) => void;
};

type Entry<Here, Elsewhere> = {
  opening: Promise<Location<Here, Elsewhere>>;
  /** Set once the item is open. */
  opened?: { here: Here };
  /** Responses that are not completely sent. */
  pendingResponses: Set<PendingResponse>;
  usedAt: number;
};

export function createIdlePool<Here, Elsewhere = never>(
  options: IdlePoolOptions<Here, Elsewhere>,
): IdlePool<Here, Elsewhere> {
  const entries = new Map<string, Entry<Here, Elsewhere>>();
  const closing = new Map<string, Promise<void>>();
  /** A request that is tried again acquires an item several times; it needs only one listener. */
  const usedBy = new WeakMap<PendingResponse, Set<Entry<Here, Elsewhere>>>();

  const openEntry = (name: string): Entry<Here, Elsewhere> => {
    const known = entries.get(name);
    if (known !== undefined) return known;
    const entry: Entry<Here, Elsewhere> = {
      opening: options.open(name),
      pendingResponses: new Set(),
      usedAt: performance.now(),
    };
    const removeEntry = (): void => {
      if (entries.get(name) === entry) entries.delete(name);
    };
    entry.opening.then(
      (found) => ('here' in found ? void (entry.opened = found) : removeEntry()),
      removeEntry,
    );
    entries.set(name, entry);
    return entry;
  };
  const closeEntry = (
    name: string,
    entry: Entry<Here, Elsewhere>,
    close: (here: Here) => Promise<void>,
  ): void => {
    if (entries.get(name) !== entry) return;
    entries.delete(name);
    const left = entry.opening
      .then((found) => ('here' in found ? close(found.here) : undefined))
      .catch(options.onError)
      .finally(() => closing.delete(name));
    closing.set(name, left);
  };
  const drainEntry = (name: string, entry: Entry<Here, Elsewhere>): void =>
    closeEntry(name, entry, async (here) => {
      while ([...entry.pendingResponses].some(({ headersSent }) => !headersSent))
        await new Promise((done) => setTimeout(done, 10));
      await options.close(here);
    });
  const trackUse = (answer: PendingResponse, entry: Entry<Here, Elsewhere>): void => {
    const known = usedBy.get(answer);
    if (known !== undefined) return void known.add(entry);
    const used = new Set([entry]);
    usedBy.set(answer, used);
    answer.once('close', () => {
      for (const each of used) {
        each.pendingResponses.delete(answer);
        each.usedAt = performance.now();
      }
    });
  };
  const isUsed = ({ pendingResponses, usedAt }: Entry<Here, Elsewhere>): boolean =>
    pendingResponses.size > 0 || performance.now() - usedAt < options.idleTimeoutMs;

  return {
    names: () => [...entries.keys()],
    all: () => [...entries.values()].flatMap(({ opened }) => (opened === undefined ? [] : [opened.here])),
    async acquire(name, answer) {
      while (closing.has(name)) await closing.get(name);
      const entry = openEntry(name);
      // Registered before the open is awaited, so that the item is not closed before it is used.
      if (!answer.destroyed) entry.pendingResponses.add(answer);
      trackUse(answer, entry);
      return entry.opening;
    },
    evict(name, close = options.close) {
      const entry = entries.get(name);
      if (entry !== undefined) closeEntry(name, entry, close);
    },
    drain(name) {
      const entry = entries.get(name);
      if (entry !== undefined) drainEntry(name, entry);
    },
    async evictIdle() {
      for (const [name, entry] of entries) {
        if (entry.opened === undefined || isUsed(entry) || (await options.isBusy(entry.opened.here)))
          continue;
        // A request may have arrived meanwhile.
        if (!isUsed(entry)) closeEntry(name, entry, options.suspend);
      }
    },
    async drainAll() {
      for (const [name, entry] of entries) if (await entry.opening.catch(() => null)) drainEntry(name, entry);
      await Promise.all(closing.values());
    },
  };
}
