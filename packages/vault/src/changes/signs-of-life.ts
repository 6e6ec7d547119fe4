import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../contract/index.ts';

/** Who holds something, as it stands in a row that other processes read. */
export type Holder = { pid: number; host: string };

/** What the system tells of processes. */
export type ProcessTable = {
  /** Where a pid means the same process: this machine since it started, and this pid namespace. */
  place: string;
  isThere(pid: number): boolean;
  /** When a process began, as the system counts it; empty where it does not say. */
  startOf(pid: number): string;
};

/** The mark that a process leaves beside its pid, which alone may be that of another by now, or of another container. */
export function markOf(pid: number, table = processTable()): string {
  return `${table.place}#${table.startOf(pid)}`;
}

/** Known only where our pids mean the same processes; elsewhere, and after a restart of the machine, silence decides. */
export function isDead({ pid, host }: Holder, table = processTable()): boolean {
  if (!isHere({ host }, table)) return false;
  if (!table.isThere(pid)) return true;
  const [start, recorded] = [table.startOf(pid), host.slice(table.place.length + 1)];
  return start !== '' && recorded !== '' && start !== recorded;
}

/** Whether a pid means the same process there and here. */
export function isHere({ host }: Pick<Holder, 'host'>, table = processTable()): boolean {
  return host.startsWith(`${table.place}#`);
}

/**
 * Tells when a row has stayed the same for the length of a lease, by the time that passes in this process: clocks are set
 * back and forth, and two machines never agree on one.
 */
export function createSilence(
  lease: number,
  elapsed: Clock,
): (row: { fence: number; until: number }) => boolean {
  let last = '';
  let since = elapsed();
  return ({ fence, until }) => {
    const sign = `${fence} ${until}`;
    if (sign !== last) since = elapsed();
    last = sign;
    return elapsed() - since >= lease;
  };
}

function processTable(): ProcessTable {
  if (process.platform !== 'linux') return { place: hostname(), isThere, startOf: () => '' };
  return {
    place: [hostname(), ...linuxPlace()].join(' '),
    // One that ended stays in the table until its parent asks how, which some containers never do.
    isThere: (pid) => isThere(pid) && !/^[ZX]$/.test(linuxStat(pid)[0] ?? ''),
    startOf: (pid) => linuxStat(pid)[19] ?? '',
  };
}

function linuxPlace(): string[] {
  return [
    orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ];
}

/** The fields from the third on; the second, a name in parentheses, may hold anything. */
function linuxStat(pid: number): string[] {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Where `/proc` is not to be seen, less is known. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
