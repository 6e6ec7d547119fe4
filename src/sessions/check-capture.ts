import type { Check } from '../app/index.ts';
import type { CaptureStatus } from './capture-status.ts';

/** Milliseconds that a hook may take before a client gives it up, with some to spare. */
const budget = { 'session-start': 3_000, others: 1_000 };

/** What is to be known of hooks and what they recorded; nothing where no client is connected. */
export function checkCapture({ settings, hooks, segments }: CaptureStatus): Check[] {
  const { clients: connected } = settings;
  const silent = connected.filter((client) => !hooks.some((hook) => hook.client === client));
  const failed = hooks.filter(({ problem }) => problem !== null);
  const slow = hooks.filter(
    ({ event, took }) => took > (event === 'session-start' ? budget['session-start'] : budget.others),
  );
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
      warning(`the last ${event} of ${client} was not recorded: ${problem}`, 'see: keepsake capture status'),
    ),
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
