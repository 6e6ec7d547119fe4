import { Worker } from 'node:worker_threads';

/** Kills this process when its parent has exited, even while a document blocks the main thread. */
export function exitWithParent(): void {
  const poll = `process.ppid === ${process.ppid} || process.kill(process.pid, 'SIGKILL')`;
  new Worker(`setInterval(() => ${poll}, 1000)`, { eval: true }).unref();
}
