import { formatLocalTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { createLoop } from '../upkeep/index.ts';
import type { Agents } from './agents.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { defaultTidying } from './tidying-settings.ts';

type Dependencies = {
  agents: Pick<Agents, 'tidy' | 'hasTidiedToday'>;
  environment: Environment;
  hasModel: () => boolean;
  clock: Clock;
  /** Called with the report of each run. Must not throw. */
  onReport: (report: Awaited<ReturnType<Agents['tidy']>>) => void;
  onError: (error: unknown) => void;
  timing?: Partial<typeof defaultTiming>;
};

/** In milliseconds. */
const defaultTiming = { intervalMs: 60_000, retryDelayMs: 30 * 60_000 };

const monotonicNow: Clock = () => performance.now();

/** Runs tidying once a day at the configured time, or later that day if the machine was off. A failed run is retried. */
export function startBackgroundTidying(parts: Dependencies): { stop(): Promise<void> } {
  const { agents, environment, clock, timing } = parts;
  const { intervalMs, retryDelayMs } = { ...defaultTiming, ...timing };
  const stopping = new AbortController();
  let next = monotonicNow();
  let lastDay = '';
  const work = async (): Promise<void> => {
    next = monotonicNow() + intervalMs;
    try {
      const settings = readConfiguration(environment).tidying;
      const [day = '', time = ''] = formatLocalTime(clock()).split('T');
      const isDue = settings !== undefined && time >= (settings.at ?? defaultTidying.at) && day !== lastDay;
      if (!isDue || !parts.hasModel()) return;
      if (!agents.hasTidiedToday()) parts.onReport(await agents.tidy(stopping.signal));
      lastDay = day;
    } catch (error) {
      next = monotonicNow() + retryDelayMs;
      if (!stopping.signal.aborted) parts.onError(error);
    }
  };
  const loop = createLoop({ nextAt: () => next, work, monotonicNow });
  loop.wake();
  return {
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
