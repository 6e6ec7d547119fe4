import { readFileSync } from 'node:fs';

/** What a process holds in memory, in bytes; 0 where the system does not tell, and when it is gone. */
export function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) * 1024;
}

/**
 * What a process has used of processors, in milliseconds; null where the system does not tell, and when it is gone. Linux counts in
 * hundredths of a second.
 */
export function processorTimeOf(pid: number): number | null {
  const [, user, system] = /\) \S(?: -?\d+){10} (\d+) (\d+) /.exec(read(`/proc/${pid}/stat`)) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) * 10;
}

/** A process, or the one that it has started for its work, and so on: what is in a sandbox is below it. */
export function innermost(pid: number): number {
  const [child] = read(`/proc/${pid}/task/${pid}/children`).split(' ');
  return child ? innermost(Number(child)) : pid;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
