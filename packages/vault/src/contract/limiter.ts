/**
 * Creates a function that runs at most `concurrency` tasks at a time, in call order. A failed task rejects its own promise and does
 * not affect the others.
 */
export function createLimiter(concurrency = 1): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let availableSlots = concurrency;
  const waiters: (() => void)[] = [];
  return async (work) => {
    const slot = availableSlots > 0 ? null : new Promise<void>((begin) => waiters.push(begin));
    if (slot === null) availableSlots -= 1;
    await slot;
    try {
      return await work();
    } finally {
      const next = waiters.shift();
      if (next === undefined) availableSlots += 1;
      else next();
    }
  };
}
