import type { Clock } from '../contract/index.ts';
import { processTable } from './process-table.ts';

/** The owner of a lock, as stored in a row that other processes read. */
export type ProcessRef = { pid: number; host: string };

/**
 * The marker that a process stores with its pid. The pid alone could belong to another process by now, or to another
 * container.
 */
export function processMarker(pid: number, table = processTable()): string {
  return `${table.hostId}#${table.startTime(pid)}`;
}

/** Only decidable for a process of the same host, boot and pid namespace; otherwise the lease has to expire. */
export function isProcessDead({ pid, host }: ProcessRef, table = processTable()): boolean {
  if (!isSameHost({ host }, table)) return false;
  if (!table.exists(pid)) return true;
  const [start, recorded] = [table.startTime(pid), host.slice(table.hostId.length + 1)];
  return start !== '' && recorded !== '' && start !== recorded;
}

/** Whether a pid recorded with this marker is valid on this host. */
export function isSameHost({ host }: Pick<ProcessRef, 'host'>, table = processTable()): boolean {
  return host.startsWith(`${table.hostId}#`);
}

/**
 * Returns a function that tells whether a row has not changed for the length of a lease. Time is measured by this
 * process's monotonic clock: wall clocks are adjusted and differ between machines.
 */
export function createStalenessCheck(
  leaseMs: number,
  monotonicNow: Clock,
): (row: { fence: number; until: number }) => boolean {
  let last = '';
  let since = monotonicNow();
  return ({ fence, until }) => {
    const state = `${fence} ${until}`;
    if (state !== last) since = monotonicNow();
    last = state;
    return monotonicNow() - since >= leaseMs;
  };
}
