import type { KeepsakeEvent } from '../contract/index.ts';
import type { Keepsake } from '../app/index.ts';
import { safeForTerminal } from './show-outcome.ts';

/** Runs work that Ctrl-C may stop; the second time it ends the process as usual. */
export async function interruptible<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error('stopped'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(stopping.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/** Shows on standard error what the agents do, line by line, while `work` runs. */
export async function showSteps<Value>({ events }: Keepsake, work: () => Promise<Value>): Promise<Value> {
  const end = events.listen((event) => {
    const line = describe(event);
    if (line !== null) process.stderr.write(`${safeForTerminal(line, process.stderr)}\n`);
  });
  try {
    return await work();
  } finally {
    end();
  }
}

/** Null for what a person need not see. */
function describe(event: KeepsakeEvent): string | null {
  if (event.type === 'update-started')
    return `working on ${event.update.slice(0, 8)}${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`;
  if (event.type === 'tool-called') return `  ${event.tool} ${event.about}`;
  if (event.type === 'tool-finished') return event.problem === null ? null : `    ${event.problem}`;
  return event.type === 'update-failed' ? `failed: ${event.reason}` : null;
}
