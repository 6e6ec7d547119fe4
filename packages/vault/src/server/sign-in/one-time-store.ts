/** Stores values, each of which can be taken only once and only before it expires. */
export type OneTimeStore<Value> = {
  put(name: string, value: Value): void;
  take(name: string): Value | null;
};

/** Unauthenticated clients can add entries, so the oldest are evicted at this limit. */
const maxEntries = 1_000;

export function createOneTimeStore<Value>(ttlMs: number): OneTimeStore<Value> {
  const entries = new Map<string, { value: Value; until: number }>();
  return {
    put(name, value) {
      entries.set(name, { value, until: performance.now() + ttlMs });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
    take(name) {
      const found = entries.get(name);
      entries.delete(name);
      return found === undefined || found.until < performance.now() ? null : found.value;
    },
  };
}
