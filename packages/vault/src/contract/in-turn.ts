/**
 * Gives a function that does one work after another, or some at once, in the order of the calls; one that fails does not
 * stop the next.
 */
export function inTurn(atOnce = 1): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    const turn = free > 0 ? null : new Promise<void>((begin) => waiting.push(begin));
    if (turn === null) free -= 1;
    await turn;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
