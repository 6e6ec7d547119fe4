import { availableParallelism, loadavg } from 'node:os';

/** Whether the load of the last minute exceeds the number of processors, so that everything takes longer. */
export function isBusyMachine(): boolean {
  return (loadavg()[0] ?? 0) > availableParallelism();
}
