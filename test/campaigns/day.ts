import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** For every process of the campaign, one real second lasts a minute, including timers, backoff and leases. */
const speed = 60;

/** Runs a server for some hours of accelerated time, with users and injected faults; see day-worker.ts. */
export function dayCampaign(hours: number): Promise<number> {
  const { error, status } = spawnSync(
    'faketime',
    ['-m', '-f', `+0 x${speed}`, process.execPath, join(import.meta.dirname, 'day-worker.ts'), String(hours)],
    // File times stay real.
    { stdio: 'inherit', env: { ...process.env, NO_FAKE_STAT: '1' } },
  );
  if (error !== undefined)
    throw new Error('the campaign needs the Debian package faketime', { cause: error });
  return Promise.resolve(status ?? 1);
}
