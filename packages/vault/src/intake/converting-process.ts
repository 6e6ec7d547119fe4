import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { constants } from 'node:os';
import { setInterval } from 'node:timers/promises';
import { inTurn } from '../contract/index.ts';
import type { Conversion, Refusal } from './port.ts';
import { refuse } from './refusal.ts';
import type { Sandbox } from './sandbox.ts';
import { startWorker } from './start-worker.ts';
import { innermost, memoryOf, processorTimeOf } from './use-of.ts';
import { whenAborted } from './when-aborted.ts';
import type { Answer, Job } from './worker.ts';

export type ConvertingProcess = {
  /** One at a time, in the order of the calls. What it takes from its turn on, once its process runs, is taken off `left`. */
  convert(job: Job, left: TimeLeft, signal: AbortSignal): Promise<Conversion | Refusal>;
  close(): void;
};

type TimeLeft = { milliseconds: number };
type Child = {
  process: ChildProcess;
  isReady: boolean;
  ready: Promise<void>;
  /** Of the process that works: in a sandbox that is not the one that was started. */
  pid: number;
  /** What was said where it is in a sandbox that could not be set up. */
  said: string;
};
/** In milliseconds, since it was started anew. */
type Stopwatch = { start: () => void; spent: () => number };

const idleMilliseconds = 10_000;
/** So many times as long may it take as it may use a processor: what others do on the machine is not the document's fault. */
const patience = 10;
const lookMilliseconds = 50;
const tooSlow = refuse('too-slow', 'it takes too long to read; split it, or save it in a simpler form');
const noSandbox = refuse(
  'no-sandbox',
  'documents are not read here: the sandbox for it is missing; tell whoever runs the service',
);
const tooMuchMemory = refuse('too-much-memory', 'it takes too much memory to read; split it');

/** Keeps its process for the next document, and kills it with a document that does not end or takes too much. */
export function createConvertingProcess(memoryBytes: number, sandbox: Sandbox): ConvertingProcess {
  let child: Child | null = null;
  /** What it is started with; without one once it turned out that it cannot be used. */
  let wrapping = sandbox.command;
  let isTold = false;
  const tellUnusable = (reason: string): void => {
    wrapping = null;
    if (!isTold) sandbox.onUnusable(reason);
    isTold = true;
  };
  const converting = inTurn();
  let idle: NodeJS.Timeout | undefined;

  const stop = (): void => {
    clearTimeout(idle);
    child?.process.kill('SIGKILL');
    child = null;
  };

  const start = (): Child => {
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const worker = startWorker(memoryBytes, wrapping);
    const started: Child = { process: worker, isReady: false, ready, pid: worker.pid ?? 0, said: '' };
    // The first that it says, and no job before that.
    worker.once('message', () => {
      started.isReady = true;
      started.pid = innermost(started.pid);
      resolve();
    });
    worker.once('error', () => undefined); // told by whoever waits for its end
    worker.stderr?.on('data', (said: Buffer) => {
      if (!started.isReady && started.said.length < 1_000) started.said += String(said);
    });
    (worker.stderr as { unref?: () => void } | null)?.unref?.(); // a pipe can be, its type does not say so
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
    if (wrapping === null && !isTold) tellUnusable('bubblewrap is not installed');
    if (wrapping === null && sandbox.isRequired) return noSandbox;
    try {
      return await convertOnce(job, left, signal);
    } catch (error) {
      if (!(error instanceof NotStarted) || wrapping === null) throw error;
      tellUnusable(error.said === '' ? error.message : error.said);
      return convert(job, left, signal);
    }
  };

  const convertOnce = async (
    job: Job,
    left: TimeLeft,
    signal: AbortSignal,
  ): Promise<Conversion | Refusal> => {
    signal.throwIfAborted();
    if (left.milliseconds === 0) return tooSlow;
    clearTimeout(idle);
    child ??= start();
    const working = child;
    const time = stopwatch(working);
    if (!working.isReady) void working.ready.then(time.start);
    const over = new AbortController();
    const ending = Promise.race([
      death(working, over.signal),
      outOfTime(time, left.milliseconds, over.signal),
      outOfMemory(working, memoryBytes, over.signal),
      whenAborted(signal, over.signal),
    ]).finally(() => over.signal.aborted || stop());
    try {
      return await Promise.race([answer(working, job, over.signal), ending]);
    } finally {
      over.abort();
      left.milliseconds = Math.max(0, left.milliseconds - time.spent());
      // What one document leaves behind must not count against the next.
      if (memoryOf(working.pid) > memoryBytes / 4) stop();
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
  const exit = once(child.process, 'exit', { signal: over }).catch((error: unknown) => {
    throw over.aborted ? error : new NotStarted(String(error), '');
  });
  const closed = once(child.process, 'close', { signal: over }).catch(() => undefined);
  const [code, signal] = (await exit) as [number | null, string | null];
  // Its last words may arrive after its end.
  if (!child.isReady) {
    await closed;
    throw new NotStarted(`${signal ?? code}`, child.said.trim());
  }
  // How V8 ends when its heap is full, and how the system ends what takes the memory of all; a sandbox tells of it by a code.
  const isFatal = (name: (typeof fatal)[number]): boolean =>
    signal === name || code === 128 + constants.signals[name];
  if (fatal.some(isFatal)) return tooMuchMemory;
  return refuse('damaged', 'it breaks the program that reads it; save it anew or in another form');
}

const fatal = ['SIGABRT', 'SIGTRAP', 'SIGKILL'] as const;

class NotStarted extends Error {
  readonly said: string;

  constructor(how: string, said: string) {
    super(`the process that reads documents did not start (${how})`);
    this.said = said;
  }
}

/** Of a processor, where the system tells. */
function stopwatch(child: Child): Stopwatch {
  const now = (): { at: number; used: number | null } => ({
    at: performance.now(),
    used: processorTimeOf(child.pid),
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

async function outOfMemory(child: Child, memoryBytes: number, over: AbortSignal): Promise<Refusal> {
  for await (const _ of setInterval(lookMilliseconds, undefined, { signal: over })) {
    if (memoryOf(child.pid) > memoryBytes) break;
  }
  return tooMuchMemory;
}
