import { readFileSync } from 'node:fs';

/** What a process holds in memory, in bytes; 0 where the system does not tell, and when it is gone. */
export function memoryOf(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
