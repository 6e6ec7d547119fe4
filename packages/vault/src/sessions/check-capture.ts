import type { Check } from '../app/index.ts';
import { localTime } from '../contract/index.ts';
import { showTime } from '../vault/index.ts';
import type { CaptureStatus } from './capture-status.ts';
import { describeLost } from './lost-parts.ts';

/** Milliseconds that a hook may take before a client ends it, with some to spare. */
const budget: Record<string, number> = { 'session-start': 3_000, 'session-end': 1_000 };
const defaultBudget = 15_000;

/** What is to be known of hooks and what they recorded; nothing where no client is connected. */
export function checkCapture({ settings, hooks, segments, lost }: CaptureStatus): Check[] {
  const { clients: connected } = settings;
  const silent = connected.filter((client) => !hooks.some((hook) => hook.client === client));
  const failed = hooks.filter(({ problem }) => problem !== null);
  const slow = hooks.filter(({ event, took }) => took > (budget[event] ?? defaultBudget));
  const lostWords = describeLost(lost);
  const warning = (message: string, mend: string): Check => ({
    name: 'Sessions',
    status: 'warning',
    message,
    mend,
  });
  const warnings = [
    ...silent.map((client) =>
      warning(
        `${client} has the plugin, and has called no hook yet`,
        client === 'codex' ? 'open codex, type /hooks and trust those of keepsake' : `start ${client} once`,
      ),
    ),
    ...failed.map(({ client, event, problem }) =>
      warning(
        event === 'session-start'
          ? `the last session of ${client} started without a brief: ${problem}`
          : `the last ${event} of ${client} was not recorded: ${problem}`,
        'see: keepsake capture status',
      ),
    ),
    ...(lostWords === null
      ? []
      : [
          warning(
            `not recorded in the last 7 days: ${lostWords}; the last one at ${showTime(localTime(lost.lastAt ?? 0))}`,
            'check that the disk is not full; if a client ended its hooks, give them more time with: keepsake connect <client> --write',
          ),
        ]),
    ...slow.map(({ client, event, took }) =>
      warning(`the hook ${event} of ${client} took ${took} ms`, 'is the machine busy, or the disk slow?'),
    ),
  ];
  if (warnings.length > 0) return warnings;
  if (connected.length === 0 && hooks.length === 0) return [];
  const recorded = { linked: 'in linked folders', everywhere: 'everywhere', never: 'not' }[settings.capture];
  return [
    {
      name: 'Sessions',
      status: 'ok',
      message: `recorded ${recorded}; ${segments} not in the vault yet`,
      mend: '',
    },
  ];
}
