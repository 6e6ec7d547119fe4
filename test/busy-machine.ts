import { availableParallelism, loadavg } from 'node:os';

/** Whether there was more to do here in the last minute than there are processors: everything takes longer then. */
export function isBusyMachine(): boolean {
  return (loadavg()[0] ?? 0) > availableParallelism();
}
