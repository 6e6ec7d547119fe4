import type { KeepsakeEvent } from '../contract/index.ts';
import type { Keepsake } from '../app/index.ts';
import { followTurns } from './follow-turns.ts';
import type { Io } from './io.ts';
import { createStatusLine } from './status-line.ts';
import type { StatusLine } from './status-line.ts';

type Updates = Keepsake['agents']['updates'];

/** Runs work that Ctrl-C may stop; the second time it ends the process as usual. */
export async function interruptible<Value>(
  { signals }: Io,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error('stopped'));
  signals.once('SIGINT', stop);
  signals.once('SIGTERM', stop);
  try {
    return await work(stopping.signal);
  } finally {
    signals.off('SIGINT', stop);
    signals.off('SIGTERM', stop);
  }
}

/** Shows on standard error what the agents do, line by line, while `work` runs. */
export async function showSteps<Value>(
  { stderr }: Io,
  { events }: Keepsake,
  work: () => Promise<Value>,
): Promise<Value> {
  return tellSteps(events, createStatusLine(stderr), work);
}

async function tellSteps<Value>(
  events: Keepsake['events'],
  status: StatusLine,
  work: () => Promise<Value>,
): Promise<Value> {
  const end = events.listen((event) => {
    const line = describe(event);
    if (line !== null) status.say(line);
  });
  try {
    return await work();
  } finally {
    end();
  }
}

/**
 * Shows the steps, and when there are none what is waited for: the next attempt, or another process. On a terminal that
 * counts down in place; elsewhere each wait is a line.
 */
export async function showQueue<Value>(
  { stderr }: Io,
  { events, agents: { updates } }: Keepsake,
  work: () => Promise<Value>,
): Promise<Value> {
  const status = createStatusLine(stderr);
  const follow = followTurns();
  const end = events.listen((event) => follow.note(event));
  const looking = setInterval(() => {
    const turn = nextTurn(updates);
    if (turn === undefined) return;
    const { failed, waiting, isNew } = follow.look(turn, Date.now());
    if (failed !== null) status.say(`failed: ${failed}`);
    status.show(waiting, isNew);
  }, pollIntervalMs);
  try {
    return await tellSteps(events, status, work);
  } finally {
    clearInterval(looking);
    status.show(null, false);
    end();
  }
}

/** What this process does itself is told by events. */
const pollIntervalMs = 1_000;

/** Undefined when it cannot be told at this moment: whoever works says what is wrong, and the next look is near. */
function nextTurn(updates: Updates): ReturnType<Updates['next']> | undefined {
  try {
    return updates.next();
  } catch {
    return undefined;
  }
}

/** Null for what a person need not see. */
function describe(event: KeepsakeEvent): string | null {
  if (event.type === 'update-started')
    return `working on ${event.update.slice(0, 8)}${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`;
  if (event.type === 'tool-called') return `  ${event.tool} ${event.about}`;
  if (event.type === 'tool-finished') return event.problem === null ? null : `    ${event.problem}`;
  return event.type === 'update-failed' ? `failed: ${event.reason.text}` : null;
}
