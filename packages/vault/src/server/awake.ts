/** What is opened when somebody asks for it, and closed when nobody has for a while. */
export type Awake<Here, Elsewhere> = {
  /** What is open, or being opened. */
  names(): string[];
  all(): Promise<Here[]>;
  /** Opened if it is not; it stays open at least until the answer is sent. */
  hold(name: string, answer: Answer): Promise<Found<Here, Elsewhere>>;
  /** Closes it, whoever holds it; nobody opens it again before that is over. */
  leave(name: string, close?: (here: Here) => Promise<void>): void;
  /** Closes it as soon as whoever holds it is answered; what is sent for longer is ended by closing. */
  handOver(name: string): void;
  /** Closes what nobody holds and nobody has asked for in a while. */
  sleep(): Promise<void>;
  /** Hands all over. */
  close(): Promise<void>;
};

/** Open in this process, or where it is instead. */
type Found<Here, Elsewhere> = { here: Here } | { elsewhere: Elsewhere };

/** An answer on its way. */
type Answer = {
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  once(event: 'close', listener: () => void): unknown;
};

type Parts<Here, Elsewhere> = {
  open: (name: string) => Promise<Found<Here, Elsewhere>>;
  /** When nobody has asked for it in a while. */
  putToSleep: (here: Here) => Promise<void>;
  close: (here: Here) => Promise<void>;
  /** Whether it has something to do, though nobody waits for an answer. */
  isBusy: (here: Here) => boolean;
  /** In milliseconds. */
  idleAfter: number;
  /** Must not throw. */
  onError: (error: unknown) => void;
};

type Entry<Here, Elsewhere> = {
  opening: Promise<Found<Here, Elsewhere>>;
  /** Not sent yet, or not to the end. */
  answers: Set<Answer>;
  usedAt: number;
};

export function createAwake<Here, Elsewhere = never>(parts: Parts<Here, Elsewhere>): Awake<Here, Elsewhere> {
  const entries = new Map<string, Entry<Here, Elsewhere>>();
  const leaving = new Map<string, Promise<void>>();

  const enter = (name: string): Entry<Here, Elsewhere> => {
    const known = entries.get(name);
    if (known !== undefined) return known;
    const entry = { opening: parts.open(name), answers: new Set<Answer>(), usedAt: performance.now() };
    const forget = (): void => {
      if (entries.get(name) === entry) entries.delete(name);
    };
    entry.opening.then((found) => 'here' in found || forget(), forget);
    entries.set(name, entry);
    return entry;
  };
  const leave = (name: string, entry: Entry<Here, Elsewhere>, close: (here: Here) => Promise<void>): void => {
    if (entries.get(name) !== entry) return;
    entries.delete(name);
    const left = entry.opening
      .then((found) => ('here' in found ? close(found.here) : undefined))
      .catch(parts.onError)
      .finally(() => leaving.delete(name));
    leaving.set(name, left);
  };
  const handOver = (name: string, entry: Entry<Here, Elsewhere>): void =>
    leave(name, entry, async (here) => {
      while ([...entry.answers].some(({ headersSent }) => !headersSent))
        await new Promise((done) => setTimeout(done, 10));
      await parts.close(here);
    });
  const opened = async (): Promise<{ name: string; entry: Entry<Here, Elsewhere>; here: Here }[]> => {
    const all = [...entries].map(async ([name, entry]) => {
      const found = await entry.opening.catch(() => null);
      return found !== null && 'here' in found ? [{ name, entry, here: found.here }] : [];
    });
    return (await Promise.all(all)).flat();
  };

  return {
    names: () => [...entries.keys()],
    all: async () => (await opened()).map(({ here }) => here),
    async hold(name, answer) {
      while (leaving.has(name)) await leaving.get(name);
      const entry = enter(name);
      // From here on: it must not be closed between being found and being used.
      if (!answer.destroyed) entry.answers.add(answer);
      answer.once('close', () => {
        entry.answers.delete(answer);
        entry.usedAt = performance.now();
      });
      return entry.opening;
    },
    leave(name, close = parts.close) {
      const entry = entries.get(name);
      if (entry !== undefined) leave(name, entry, close);
    },
    handOver(name) {
      const entry = entries.get(name);
      if (entry !== undefined) handOver(name, entry);
    },
    async sleep() {
      for (const { name, entry, here } of await opened()) {
        const isUsed = entry.answers.size > 0 || performance.now() - entry.usedAt < parts.idleAfter;
        if (!isUsed && !parts.isBusy(here)) leave(name, entry, parts.putToSleep);
      }
    },
    async close() {
      for (const { name, entry } of await opened()) handOver(name, entry);
      await Promise.all(leaving.values());
    },
  };
}
