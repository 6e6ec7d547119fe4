import { readFileSync } from 'node:fs';
import { darwinCalls, windowsCalls } from '../vault/index.ts';
import type { ProcessUsage } from '../vault/index.ts';

/** The resident memory of a process in bytes; 0 when the process is gone or the system does not report it. */
export function residentBytes(pid: number): number {
  if (process.platform !== 'linux') return readUsage(pid)?.memoryBytes ?? 0;
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) * 1024;
}

/**
 * The CPU time of a process in milliseconds; null when the process is gone or the system does not report it. Linux counts in hundredths
 * of a second.
 */
export function cpuTimeMs(pid: number): number | null {
  if (process.platform !== 'linux') return readUsage(pid)?.cpuMs ?? null;
  const [, user, system] = /\) \S(?: -?\d+){10} (\d+) (\d+) /.exec(read(`/proc/${pid}/stat`)) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) * 10;
}

/** Follows the chain of child processes to its end, because a sandboxed process is a descendant of the one that was spawned. */
export function innermostChild(pid: number): number {
  const [child] = read(`/proc/${pid}/task/${pid}/children`).split(' ');
  return child ? innermostChild(Number(child)) : pid;
}

function readUsage(pid: number): ProcessUsage | null {
  if (process.platform === 'win32') return windowsCalls().processUsage(pid);
  return process.platform === 'darwin' ? darwinCalls().processUsage(pid) : null;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
