/**
 * Resolves one waiting call per iteration of the event loop, round-robin by key. A burst of calls then delays the steps
 * of other work by one call each, not by the whole burst.
 */
export function createRoundRobinQueue(): (key: string) => Promise<void> {
  /** The key that is served next is first. */
  const waiting = new Map<string, (() => void)[]>();
  const startNext = (): void => {
    const [next] = waiting;
    if (next === undefined) return;
    const [key, [start, ...others]] = next;
    waiting.delete(key);
    if (others.length > 0) waiting.set(key, others);
    start?.();
    setImmediate(startNext);
  };
  return (key) =>
    new Promise((start) => {
      if (waiting.size === 0) setImmediate(startNext);
      waiting.set(key, [...(waiting.get(key) ?? []), start]);
    });
}
