import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Wall-clock and CPU time of one hook in milliseconds, from the start of its process; `took` is null if the client
 * stopped it.
 */
export type HookTime = { event: string; took: number | null; processor: number; budget: number };

/** At the end of a session, Claude Code waits no longer than this, whatever timeout a plugin sets. */
const lastMoment = { 'session-end': 1_500 } as Record<string, number>;

/** Makes every hook report its duration, which no client does. `variables` is the environment for the client. */
export function watchHooks(home: string): { variables: Record<string, string>; times: () => HookTime[] } {
  const told = join(home, 'hook-times.jsonl');
  const preload = join(home, 'watch-hooks.cjs');
  writeFileSync(
    preload,
    `if (process.argv[2] === 'hook') {
       const { appendFileSync } = require('node:fs');
       const tell = (what) => appendFileSync(${JSON.stringify(told)}, JSON.stringify({ pid: process.pid, event: process.argv[4], ...what }) + '\\n');
       tell({});
       process.on('exit', () => {
         const { user, system } = process.cpuUsage();
         tell({ took: performance.now(), processor: (user + system) / 1000 });
       });
     }`,
  );
  return {
    variables: { NODE_OPTIONS: `--require=${preload}` },
    times: () => (existsSync(told) ? readTimes(readFileSync(told, 'utf8'), budgetsIn(home)) : []),
  };
}

function readTimes(told: string, budgets: Map<string, number>): HookTime[] {
  const hooks = new Map<number, HookTime>();
  for (const line of told.trim().split('\n')) {
    const { pid, event, ...ended } = JSON.parse(line) as {
      pid: number;
      event: string;
      took?: number;
      processor?: number;
    };
    hooks.set(pid, { event, took: null, processor: 0, budget: budgets.get(event) ?? 0, ...ended });
  }
  return [...hooks.values()];
}

/** The timeouts that the plugin sets. */
function budgetsIn(home: string): Map<string, number> {
  const file = join(home, '.local/share/keepsake/plugin/keepsake/hooks/hooks.json');
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
  };
  return new Map(
    Object.values(hooks)
      .flatMap(([group]) => group?.hooks ?? [])
      .map(({ command, timeout }) => {
        const event = / hook \S+ ([a-z-]+)/.exec(command)?.[1] ?? command;
        return [event, lastMoment[event] ?? timeout * 1000];
      }),
  );
}

/** Formats one line per event. */
export function describeTimes(times: readonly HookTime[]): string {
  return [...new Set(times.map(({ event }) => event))]
    .map((event) => {
      const those = times.filter((each) => each.event === event);
      const took = those.flatMap((each) => each.took ?? []).toSorted((a, b) => a - b);
      const middle = Math.round(took[Math.floor(took.length / 2)] ?? Number.NaN);
      const worst = Math.round(took.at(-1) ?? Number.NaN);
      const ended = those.length - took.length;
      return `${event.padEnd(14)} ${those.length} times, ${middle} ms, at most ${worst} of ${those[0]?.budget}${ended > 0 ? `, ${ended} stopped by the client` : ''}`;
    })
    .join('\n');
}
