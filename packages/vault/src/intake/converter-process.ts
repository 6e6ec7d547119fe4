import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { constants } from 'node:os';
import { setInterval } from 'node:timers/promises';
import { createFairQueue } from '../contract/index.ts';
import type { Conversion, Rejection } from './document.ts';
import { refuse } from './rejection.ts';
import type { Sandbox } from './sandbox.ts';
import { spawnWorker } from './start-worker.ts';
import { innermostChild, residentBytes, cpuTimeMs } from './process-usage.ts';
import { rejectOnAbort } from './abort-rejection.ts';
import type { Answer, Job } from './worker.ts';

export type ConverterProcess = {
  /**
   * Converts one document at a time; callers take turns. A document whose signal is aborted leaves the queue. The time
   * that the conversion uses is subtracted from `left`.
   */
  convert(
    job: Job,
    left: RemainingTime,
    signal: AbortSignal,
    caller: string,
  ): Promise<Conversion | Rejection>;
  close(): void;
};

type RemainingTime = { milliseconds: number };
type Child = {
  process: ChildProcess;
  isReady: boolean;
  ready: Promise<void>;
  /** The process that converts. In a sandbox, this is a descendant of the process that was spawned. */
  pid: number;
  /** The output of the process before it was ready, such as the reason why the sandbox could not be set up. */
  stderr: string;
};
/** `spent` returns the milliseconds used since the last call of `start`. */
type CpuTimer = { start: () => void; spent: () => number };

const idleTimeoutMs = 10_000;
/** Wall time may be this many times the CPU time, so that load from other processes does not count against a document. */
const wallTimeFactor = 10;
const pollIntervalMs = 50;
const tooSlow = refuse('too-slow', 'conversion timed out; split the document or save it in a simpler format');
const noSandbox = refuse(
  'no-sandbox',
  'documents cannot be converted: the required sandbox is missing; ask your administrator to install bubblewrap',
);
const tooMuchMemory = refuse('too-much-memory', 'conversion needs too much memory; split the document');

/** Reuses its process for the next document, and kills it when a document exceeds its time or memory limit. */
export function createConvertingProcess(memoryBytes: number, sandbox: Sandbox): ConverterProcess {
  let child: Child | null = null;
  /** The sandbox command; null once it has turned out to be unusable. */
  let wrapping = sandbox.command;
  let isReported = false;
  const reportUnavailable = (reason: string): void => {
    wrapping = null;
    if (!isReported) sandbox.onUnavailable(reason);
    isReported = true;
  };
  const runFairly = createFairQueue();
  let idle: NodeJS.Timeout | undefined;

  const stop = (): void => {
    clearTimeout(idle);
    child?.process.kill('SIGKILL');
    child = null;
  };

  const start = (): Child => {
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const worker = spawnWorker(memoryBytes, wrapping);
    const started: Child = { process: worker, isReady: false, ready, pid: worker.pid ?? 0, stderr: '' };
    // The first message says that the worker is ready; no job is sent before.
    worker.once('message', () => {
      started.isReady = true;
      started.pid = innermostChild(started.pid);
      resolve();
    });
    worker.once('error', () => undefined); // `explainExit` reports it
    worker.stderr?.on('data', (chunk: Buffer) => {
      if (!started.isReady && started.stderr.length < 1_000) started.stderr += String(chunk);
    });
    (worker.stderr as { unref?: () => void } | null)?.unref?.(); // the pipe has `unref`, its type does not
    started.process.unref();
    started.process.channel?.unref();
    process.once('exit', stop);
    started.process.once('exit', () => {
      process.off('exit', stop);
      if (child === started) child = null;
    });
    return started;
  };

  const convert = async (
    job: Job,
    left: RemainingTime,
    signal: AbortSignal,
  ): Promise<Conversion | Rejection> => {
    if (wrapping === null && !isReported) reportUnavailable('bubblewrap is not installed');
    if (wrapping === null && sandbox.isRequired) return noSandbox;
    try {
      return await convertOnce(job, left, signal);
    } catch (error) {
      if (!(error instanceof ConverterStartError) || wrapping === null) throw error;
      reportUnavailable(error.output === '' ? error.message : error.output);
      return convert(job, left, signal);
    }
  };

  const convertOnce = async (
    job: Job,
    left: RemainingTime,
    signal: AbortSignal,
  ): Promise<Conversion | Rejection> => {
    signal.throwIfAborted();
    if (left.milliseconds === 0) return tooSlow;
    clearTimeout(idle);
    child ??= start();
    const working = child;
    const time = createCpuTimer(working);
    if (!working.isReady) void working.ready.then(time.start);
    const over = new AbortController();
    const ending = Promise.race([
      explainExit(working, over.signal),
      watchCpuTime(time, left.milliseconds, over.signal),
      watchMemory(working, memoryBytes, over.signal),
      rejectOnAbort(signal, over.signal),
    ]).finally(() => over.signal.aborted || stop());
    try {
      return await Promise.race([waitForReply(working, job, over.signal), ending]);
    } finally {
      over.abort();
      left.milliseconds = Math.max(0, left.milliseconds - time.spent());
      // Memory left over from one document must not count against the next.
      if (residentBytes(working.pid) > memoryBytes / 4) stop();
      idle = setTimeout(stop, idleTimeoutMs).unref();
    }
  };

  return {
    convert: (job, left, signal, caller) => runFairly(caller, () => convert(job, left, signal), signal),
    close: stop,
  };
}

async function waitForReply(child: Child, job: Job, over: AbortSignal): Promise<Conversion | Rejection> {
  const answers = on(child.process, 'message', { signal: over }) as AsyncIterable<[Answer]>;
  child.process.send(job, () => undefined); // a failed send is followed by an exit, which `explainExit` reports
  for await (const [message] of answers) {
    if (message.kind === 'broken') throw new Error(message.message);
    if (message.kind !== 'ready') return message;
  }
  throw new Error('the message stream of the worker ended');
}

async function explainExit(child: Child, over: AbortSignal): Promise<Rejection> {
  const exit = once(child.process, 'exit', { signal: over }).catch((error: unknown) => {
    throw over.aborted ? error : new ConverterStartError(String(error), '');
  });
  const closed = once(child.process, 'close', { signal: over }).catch(() => undefined);
  const [code, signal] = (await exit) as [number | null, string | null];
  // The output of the process may arrive after its exit.
  if (!child.isReady) {
    await closed;
    throw new ConverterStartError(`${signal ?? code}`, child.stderr.trim());
  }
  // V8 aborts when its heap is full, and the kernel kills processes when memory runs out. A sandbox reports the signal
  // as an exit code.
  const isFatal = (name: (typeof fatal)[number]): boolean =>
    signal === name || code === 128 + constants.signals[name];
  if (fatal.some(isFatal)) return tooMuchMemory;
  return refuse('damaged', 'the converter crashed on this file; save it again or in another format');
}

const fatal = ['SIGABRT', 'SIGTRAP', 'SIGKILL'] as const;

class ConverterStartError extends Error {
  readonly output: string;

  constructor(how: string, output: string) {
    super(`the converter process did not start (${how})`);
    this.output = output;
  }
}

/** Measures CPU time, or wall time where the system does not report CPU time. */
function createCpuTimer(child: Child): CpuTimer {
  const now = (): { at: number; used: number | null } => ({
    at: performance.now(),
    used: cpuTimeMs(child.pid),
  });
  let from = now();
  return {
    start: () => void (from = now()),
    spent() {
      const { at, used } = now();
      if (used === null || from.used === null) return at - from.at;
      return Math.max(used - from.used, (at - from.at) / wallTimeFactor);
    },
  };
}

async function watchCpuTime(time: CpuTimer, milliseconds: number, over: AbortSignal): Promise<Rejection> {
  for await (const _ of setInterval(pollIntervalMs, undefined, { signal: over })) {
    if (time.spent() >= milliseconds) break;
  }
  return tooSlow;
}

async function watchMemory(child: Child, memoryBytes: number, over: AbortSignal): Promise<Rejection> {
  for await (const _ of setInterval(pollIntervalMs, undefined, { signal: over })) {
    if (residentBytes(child.pid) > memoryBytes) break;
  }
  return tooMuchMemory;
}
