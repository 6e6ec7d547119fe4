import { readdirSync, readFileSync } from 'node:fs';
import { cpuTimeMs } from '../../packages/vault/src/intake/process-usage.ts';

/** The converter processes of this process. */
type Workers = {
  /** Usage since the last call: peak memory in bytes, and CPU time. */
  taken(): { memory: number; seconds: number };
  stop(): void;
};

export function watchWorkers(): Workers {
  let memory = 0;
  const [before, now] = [new Map<number, number>(), new Map<number, number>()];
  const look = (): void => {
    for (const pid of workersOf(process.pid)) {
      memory = Math.max(memory, peakOf(pid));
      now.set(pid, Math.max((cpuTimeMs(pid) ?? 0) / 1000, now.get(pid) ?? 0));
    }
  };
  const timer = setInterval(look, 50);
  return {
    taken() {
      look();
      const seconds = now.entries().reduce((sum, [pid, all]) => sum + all - (before.get(pid) ?? 0), 0);
      const taken = { memory, seconds };
      memory = 0;
      for (const [pid, all] of now) before.set(pid, all);
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}

export function workersOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).trim().split(' '))
    .filter((child) => read(`/proc/${child}/cmdline`).includes('intake/worker'))
    .map(Number);
}

function peakOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) * 1024;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process has exited meanwhile
  }
}
