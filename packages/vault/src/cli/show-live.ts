import type { KeepsakeEvent } from '../contract/index.ts';
import type { Keepsake } from '../app/index.ts';
import { createQueueTracker } from './track-queue.ts';
import type { Io } from './io.ts';
import { createStatusLine } from './status-line.ts';
import type { StatusLine } from './status-line.ts';

type Updates = Keepsake['agents']['updates'];

type SignalName = Parameters<Io['signals']['once']>[0];

/**
 * Runs `work` with a signal that Ctrl-C aborts, and closing the terminal only if `on` says so, because nohup could not
 * prevent it then. A second Ctrl-C kills the process as usual.
 */
export async function withInterrupt<Value>(
  { signals }: Io,
  work: (signal: AbortSignal) => Promise<Value>,
  on: readonly SignalName[] = ['SIGINT', 'SIGTERM'],
): Promise<Value> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error('stopped'));
  for (const name of on) signals.once(name, stop);
  try {
    return await work(stopping.signal);
  } finally {
    for (const name of on) signals.off(name, stop);
  }
}

/** Prints the steps of the agents to standard error while `work` runs. */
export async function withStepOutput<Value>(
  { stderr }: Io,
  { events }: Keepsake,
  work: () => Promise<Value>,
): Promise<Value> {
  return printSteps(events, createStatusLine(stderr), work);
}

async function printSteps<Value>(
  events: Keepsake['events'],
  status: StatusLine,
  work: () => Promise<Value>,
): Promise<Value> {
  const end = events.subscribe((event) => {
    const line = describe(event);
    if (line !== null) status.printLine(line);
  });
  try {
    return await work();
  } finally {
    end();
  }
}

/**
 * Prints the steps and, while there are none, what the queue is waiting for: the next attempt or another process. On a terminal, it
 * counts down in place; otherwise each wait is one line.
 */
export async function withQueueOutput<Value>(
  { stderr }: Io,
  { events, agents: { updates } }: Keepsake,
  work: () => Promise<Value>,
): Promise<Value> {
  const status = createStatusLine(stderr);
  const follow = createQueueTracker();
  const end = events.subscribe((event) => follow.onEvent(event));
  const polling = setInterval(() => {
    const turn = peekNextTurn(updates);
    if (turn === undefined) return;
    const { failed, waiting, isNew } = follow.poll(turn, Date.now());
    if (failed !== null) status.printLine(`failed: ${failed}`);
    status.update(waiting, isNew);
  }, pollIntervalMs);
  try {
    return await printSteps(events, status, work);
  } finally {
    clearInterval(polling);
    status.update(null, false);
    end();
  }
}

/** Polling detects the work of other processes; this process reports its own work through events. */
const pollIntervalMs = 1_000;

/** Undefined when the queue cannot be read now: the worker reports the error, and the next poll tries again. */
function peekNextTurn(updates: Updates): ReturnType<Updates['next']> | undefined {
  try {
    return updates.next();
  } catch {
    return undefined;
  }
}

/** Null for events that are not printed. */
function describe(event: KeepsakeEvent): string | null {
  if (event.type === 'update-started')
    return `working on ${event.update.slice(0, 8)}${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`;
  if (event.type === 'tool-called') return `  ${event.tool} ${event.about}`;
  if (event.type === 'tool-finished') return event.problem === null ? null : `    ${event.problem}`;
  return event.type === 'update-failed' ? `failed: ${event.reason.text}` : null;
}
