import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';

type TraceEvent = {
  name: string;
  cat: string;
  pid: number;
  tid: number;
  ts: number;
  ph: string;
  dur?: number;
  /** CPU time in microseconds. */
  tdur?: number;
  args: { name?: string; elementCount?: number };
};

/** The longest task of the main thread by CPU time, which does not depend on other load on the machine. */
export type LongestTask = {
  milliseconds: number;
  parts: string[];
  /** The maximum number of elements that were styled at once, in any task. */
  elements: number;
};

/** Traces the page while `act` runs. */
export async function maxTaskMs(session: CDPSession, act: () => Promise<void>): Promise<LongestTask> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const over = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  const categories = 'toplevel,devtools.timeline,disabled-by-default-devtools.timeline,blink.user_timing';
  await whenFree(() => session.send('Tracing.start', { categories, transferMode: 'ReportEvents' }));
  await act();
  await session.send('Tracing.end');
  await over;
  const thread = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  // There may be a spare renderer for the next page, which is idle.
  const own = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map((event) => thread(event)),
  );
  const spent = ({ tdur = 0 }: TraceEvent): number => tdur / 1_000;
  const onPage = events.filter((event) => event.ph === 'X' && own.has(thread(event)));
  const tasks = onPage.filter(({ name }) => name.endsWith('RunTask'));
  const longest = tasks.toSorted((a, b) => spent(b) - spent(a))[0];
  if (longest === undefined) throw new Error('the trace has no task of the page');
  const parts = onPage
    .filter((event) => thread(event) === thread(longest))
    .filter(({ ts }) => ts >= longest.ts && ts < longest.ts + (longest.dur ?? 0))
    .filter((event) => spent(event) >= 2)
    .map((event) => `${event.name} ${spent(event).toFixed(1)}`);
  const elements = Math.max(0, ...onPage.map(({ args }) => args.elementCount ?? 0));
  return { milliseconds: Math.round(spent(longest)), parts, elements };
}

/** Test files share a browser, which takes one trace at a time. */
async function whenFree(start: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      await start();
      return;
    } catch (error) {
      if (!String(error).includes('already been started')) throw error;
      await sleep(200);
    }
}
