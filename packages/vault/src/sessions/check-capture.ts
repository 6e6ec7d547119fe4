import type { HealthCheck } from '../app/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { pluralize, formatTime } from '../vault/index.ts';
import type { CaptureStatus } from './capture-status.ts';
import { describeLost } from './lost-events.ts';

/** Milliseconds that a hook may take, somewhat less than the timeout of the clients. */
const hookBudgetMs: Record<string, number> = { 'session-start': 3_000, 'session-end': 1_000 };
const defaultBudget = 15_000;

/** Checks hooks and capture for `keepsake doctor`; empty if no client is connected. */
export function checkCapture({ settings, hooks, segments, lost }: CaptureStatus): HealthCheck[] {
  const { clients: connected } = settings;
  const silent = connected.filter((client) => !hooks.some((hook) => hook.client === client));
  const failed = hooks.filter(({ problem }) => problem !== null);
  const slow = hooks.filter(({ event, took }) => took > (hookBudgetMs[event] ?? defaultBudget));
  const lostWords = describeLost(lost);
  const warning = (message: string, hint: string): HealthCheck => ({
    name: 'Sessions',
    status: 'warning',
    message,
    hint,
  });
  const warnings = [
    ...silent.map((client) =>
      warning(
        `the ${client} plugin is installed but no hook has run yet`,
        client === 'codex' ? 'in Codex, type /hooks and trust the keepsake hooks' : `start ${client} once`,
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
            `not recorded in the last 7 days: ${lostWords}; the last one at ${formatTime(formatLocalTime(lost.lastAt ?? 0))}`,
            'check that the disk is not full; if a client stopped its hooks, update their timeouts with: keepsake connect <client> --write',
          ),
        ]),
    ...slow.map(({ client, event, took }) =>
      warning(
        `the hook ${event} of ${client} took ${took} ms`,
        'check whether the machine is busy or the disk is slow',
      ),
    ),
  ];
  if (warnings.length > 0) return warnings;
  if (connected.length === 0 && hooks.length === 0) return [];
  const recorded = {
    linked: 'recording in linked folders',
    everywhere: 'recording everywhere',
    never: 'recording is off',
  }[settings.capture];
  return [
    {
      name: 'Sessions',
      status: 'ok',
      message: `${recorded}; ${pluralize(segments, 'segment')} pending`,
      hint: '',
    },
  ];
}
