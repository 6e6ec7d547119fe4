import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { setInterval } from 'node:timers/promises';
import { inTurn } from '../contract/index.ts';
import type { Conversion, Refusal } from './port.ts';
import { refuse } from './refusal.ts';
import { startWorker } from './start-worker.ts';
import { memoryOf, processorTimeOf } from './use-of.ts';
import { whenAborted } from './when-aborted.ts';
import type { Answer, Job } from './worker.ts';

export type ConvertingProcess = {
  /** One at a time, in the order of the calls. What it takes from its turn on, once its process runs, is taken off `left`. */
  convert(job: Job, left: TimeLeft, signal: AbortSignal): Promise<Conversion | Refusal>;
  close(): void;
};

type TimeLeft = { milliseconds: number };
type Child = { process: ChildProcess; isReady: boolean; ready: Promise<void> };
/** In milliseconds, since it was started anew. */
type Stopwatch = { start: () => void; spent: () => number };

const idleMilliseconds = 10_000;
/** So many times as long may it take as it may use a processor: what others do on the machine is not the document's fault. */
const patience = 10;
const lookMilliseconds = 50;
const tooSlow = refuse('too-slow', 'it takes too long to read; split it, or save it in a simpler form');
const tooMuchMemory = refuse('too-much-memory', 'it takes too much memory to read; split it');

/** Keeps its process for the next document, and kills it with a document that does not end or takes too much. */
export function createConvertingProcess(memoryBytes: number): ConvertingProcess {
  let child: Child | null = null;
  const converting = inTurn();
  let idle: NodeJS.Timeout | undefined;

  const stop = (): void => {
    clearTimeout(idle);
    child?.process.kill('SIGKILL');
    child = null;
  };

  const start = (): Child => {
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const started: Child = { process: startWorker(memoryBytes), isReady: false, ready };
    // The first that it says, and no job before that.
    started.process.once('message', () => {
      started.isReady = true;
      resolve();
    });
    started.process.unref();
    started.process.channel?.unref();
    process.once('exit', stop);
    started.process.once('exit', () => {
      process.off('exit', stop);
      if (child === started) child = null;
    });
    return started;
  };

  const convert = async (job: Job, left: TimeLeft, signal: AbortSignal): Promise<Conversion | Refusal> => {
    signal.throwIfAborted();
    if (left.milliseconds === 0) return tooSlow;
    clearTimeout(idle);
    child ??= start();
    const { pid = 0 } = child.process;
    const time = stopwatch(pid);
    if (!child.isReady) void child.ready.then(time.start);
    const over = new AbortController();
    const ending = Promise.race([
      death(child, over.signal),
      outOfTime(time, left.milliseconds, over.signal),
      outOfMemory(pid, memoryBytes, over.signal),
      whenAborted(signal, over.signal),
    ]).finally(() => over.signal.aborted || stop());
    try {
      return await Promise.race([answer(child, job, over.signal), ending]);
    } finally {
      over.abort();
      left.milliseconds = Math.max(0, left.milliseconds - time.spent());
      // What one document leaves behind must not count against the next.
      if (memoryOf(pid) > memoryBytes / 4) stop();
      idle = setTimeout(stop, idleMilliseconds).unref();
    }
  };

  return {
    convert: (job, left, signal) => converting(() => convert(job, left, signal)),
    close: stop,
  };
}

async function answer(child: Child, job: Job, over: AbortSignal): Promise<Conversion | Refusal> {
  const answers = on(child.process, 'message', { signal: over }) as AsyncIterable<[Answer]>;
  child.process.send(job, () => undefined); // when it cannot be sent, there is a death to tell of
  for await (const [message] of answers) {
    if (message.kind === 'broken') throw new Error(message.message);
    if (message.kind !== 'ready') return message;
  }
  throw new Error('a worker never runs out of messages');
}

async function death(child: Child, over: AbortSignal): Promise<Refusal> {
  const [code, signal] = (await once(child.process, 'exit', { signal: over })) as [
    number | null,
    string | null,
  ];
  if (!child.isReady) throw new Error(`the process that reads documents did not start (${signal ?? code})`);
  // How V8 ends when its heap is full, and how the system ends what takes the memory of all.
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGKILL' || code === 134)
    return tooMuchMemory;
  return refuse('damaged', 'it breaks the program that reads it; save it anew or in another form');
}

/** Of a processor, where the system tells. */
function stopwatch(pid: number): Stopwatch {
  const now = (): { at: number; used: number | null } => ({
    at: performance.now(),
    used: processorTimeOf(pid),
  });
  let from = now();
  return {
    start: () => void (from = now()),
    spent() {
      const { at, used } = now();
      if (used === null || from.used === null) return at - from.at;
      return Math.max(used - from.used, (at - from.at) / patience);
    },
  };
}

async function outOfTime(time: Stopwatch, milliseconds: number, over: AbortSignal): Promise<Refusal> {
  for await (const _ of setInterval(lookMilliseconds, undefined, { signal: over })) {
    if (time.spent() >= milliseconds) break;
  }
  return tooSlow;
}

async function outOfMemory(pid: number, memoryBytes: number, over: AbortSignal): Promise<Refusal> {
  for await (const _ of setInterval(lookMilliseconds, undefined, { signal: over })) {
    if (memoryOf(pid) > memoryBytes) break;
  }
  return tooMuchMemory;
}
