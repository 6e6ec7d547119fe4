import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../contract/index.ts';

/** The owner of a lock, as stored in a row that other processes read. */
export type ProcessRef = { pid: number; host: string };

/** Information about the processes of this system. */
export type ProcessTable = {
  /** Identifies the scope of a pid: host, boot and pid namespace. */
  hostId: string;
  exists(pid: number): boolean;
  /** The start time of a process in the units of the system; empty where it is unknown. */
  startTime(pid: number): string;
};

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

function processTable(): ProcessTable {
  if (process.platform !== 'linux') return { hostId: hostname(), exists, startTime: () => '' };
  return {
    hostId: [hostname(), ...linuxHostId()].join(' '),
    // A zombie stays in the table until its parent reaps it, which some containers never do.
    exists: (pid) => exists(pid) && !/^[ZX]$/.test(linuxStat(pid)[0] ?? ''),
    startTime: (pid) => linuxStat(pid)[19] ?? '',
  };
}

function linuxHostId(): string[] {
  return [
    readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ];
}

/** The fields from the third on; the second, the command name in parentheses, may contain any character. */
function linuxStat(pid: number): string[] {
  const stat = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns an empty string if `/proc` is not accessible. */
function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
