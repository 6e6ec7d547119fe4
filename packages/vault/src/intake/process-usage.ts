import { readFileSync } from 'node:fs';

/** The resident memory of a process in bytes; 0 when the process is gone or the system does not report it. */
export function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) * 1024;
}

/**
 * The CPU time of a process in milliseconds; null when the process is gone or the system does not report it. Linux counts in hundredths
 * of a second.
 */
export function cpuTimeMs(pid: number): number | null {
  const [, user, system] = /\) \S(?: -?\d+){10} (\d+) (\d+) /.exec(read(`/proc/${pid}/stat`)) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) * 10;
}

/** Follows the chain of child processes to its end, because a sandboxed process is a descendant of the one that was spawned. */
export function innermostChild(pid: number): number {
  const [child] = read(`/proc/${pid}/task/${pid}/children`).split(' ');
  return child ? innermostChild(Number(child)) : pid;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
