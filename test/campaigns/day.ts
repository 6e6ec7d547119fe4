import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A minute passes in a second: quiet times, timers, backoff and leases included, for every process of the campaign. */
const speed = 60;

/** Hours of a service that is used and disturbed, in compressed time; see day-worker.ts. */
export function dayCampaign(hours: number): Promise<number> {
  const { error, status } = spawnSync(
    'faketime',
    ['-m', '-f', `+0 x${speed}`, process.execPath, join(import.meta.dirname, 'day-worker.ts'), String(hours)],
    // The times of files stay those of the disk.
    { stdio: 'inherit', env: { ...process.env, NO_FAKE_STAT: '1' } },
  );
  if (error !== undefined)
    throw new Error('the campaign needs the Debian package faketime', { cause: error });
  return Promise.resolve(status ?? 1);
}
