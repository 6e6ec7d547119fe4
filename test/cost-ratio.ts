/**
 * How many times as much one work costs as another. What is counted is the processor time of this thread, not the
 * time that passes, so that others on the machine do not count; of several rounds in turn the cheapest of each.
 */
export async function costRatio(work: () => unknown, other: () => unknown): Promise<number> {
  let [cost, otherCost] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round += 1) {
    otherCost = Math.min(otherCost, await costOf(other));
    cost = Math.min(cost, await costOf(work));
  }
  return cost / otherCost;
}

const rounds = 5;
/** In microseconds: what is cheaper is done several times, or there would be nothing to measure. */
const leastMeasured = 10_000;

async function costOf(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  for (let times = 1; ; times += 1) {
    await work();
    const { user, system } = process.threadCpuUsage(start);
    if (user + system >= leastMeasured) return (user + system) / times;
  }
}
