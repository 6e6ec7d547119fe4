import { readdirSync, readFileSync } from 'node:fs';
import { startPolling } from './polling.ts';
import type { WorkerProcess } from './worker-process.ts';

/**
 * Counted in pings, not in time, so that a pause of this process itself kills no worker. A worker that computes may be
 * indexing a large note; one without progress is stopped, or waits for something that does not come.
 */
const maxPings = { withoutProgress: 6, withProgress: 60 };

/** Pings a worker until it has ended. Calls `onStuck` when it does not answer for too long. */
export function watchWorker(worker: WorkerProcess, onStuck: () => void, pingIntervalMs = 1_000): void {
  const hasProgressed = createProgressCheck(worker.pid);
  let silentPings = 0;
  const stop = startPolling(pingIntervalMs, async () => {
    const isWorking = hasProgressed();
    silentPings = worker.unansweredPings() === 0 || isWorking ? 0 : silentPings + 1;
    if (silentPings < maxPings.withoutProgress && worker.unansweredPings() < maxPings.withProgress)
      return worker.ping();
    stop();
    onStuck();
  });
  void worker.ended.then(stop);
}

/**
 * Returns a function that tells whether a process has used CPU time since the last call, or has a thread that waits for a
 * CPU or a disk, as on a busy machine. Always true on systems without `/proc`.
 */
function createProgressCheck(pid: number): () => boolean {
  let last = '';
  return () => {
    const { time, states } = readUse(pid);
    const isWorking = time !== last || states.some((state) => state === 'R' || state === 'D');
    last = time;
    return isWorking || time === '';
  };
}

/** The CPU time of a process, and the states of its threads. */
function readUse(pid: number): { time: string; states: string[] } {
  try {
    const [, ...fields] = readStat(`/proc/${pid}/stat`);
    const threads = readdirSync(`/proc/${pid}/task`);
    const states = threads.map((thread) => readStat(`/proc/${pid}/task/${thread}/stat`)[0] ?? '');
    return { time: `${fields[10]} ${fields[11]}`, states };
  } catch {
    return { time: '', states: [] };
  }
}

/** The fields after the program name, which may contain any characters. */
function readStat(file: string): string[] {
  const stat = readFileSync(file, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
