/**
 * The CPU time of `work` divided by that of `other`. Measures the CPU time of this thread instead of wall time, so that
 * other processes do not matter, and takes the minimum of several alternating rounds.
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
/** In microseconds. Cheaper work is repeated until it can be measured. */
const minMeasuredMicroseconds = 10_000;

async function costOf(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  for (let times = 1; ; times += 1) {
    await work();
    const { user, system } = process.threadCpuUsage(start);
    if (user + system >= minMeasuredMicroseconds) return (user + system) / times;
  }
}
