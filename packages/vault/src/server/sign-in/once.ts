/** Things that are good once, and for a while. */
export type Once<Value> = {
  put(name: string, value: Value): void;
  take(name: string): Value | null;
};

/** Whoever comes by makes these; the oldest give way. */
const most = 1_000;

export function createOnce<Value>(life: number): Once<Value> {
  const held = new Map<string, { value: Value; until: number }>();
  return {
    put(name, value) {
      held.set(name, { value, until: performance.now() + life });
      const [oldest] = held.keys();
      if (held.size > most && oldest !== undefined) held.delete(oldest);
    },
    take(name) {
      const found = held.get(name);
      held.delete(name);
      return found === undefined || found.until < performance.now() ? null : found.value;
    },
  };
}
