import { readdirSync, readFileSync } from 'node:fs';

/** The most memory that a process which converts documents for this one has held since the last time of asking. */
export function watchWorkers(): { peak: () => number; stop: () => void } {
  let most = 0;
  const timer = setInterval(() => {
    for (const pid of childrenOf(process.pid)) most = Math.max(most, peakOf(pid));
  }, 20);
  return {
    peak: () => {
      const peak = most;
      most = 0;
      return peak;
    },
    stop: () => clearInterval(timer),
  };
}

function childrenOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).trim().split(' '))
    .filter((child) => read(`/proc/${child}/cmdline`).includes('intake/worker'));
}

function peakOf(pid: string): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) * 1024;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it ended meanwhile
  }
}
