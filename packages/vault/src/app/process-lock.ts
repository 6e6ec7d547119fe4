import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../vault/index.ts';
import { AppError } from './error.ts';

const acquireTimeoutMs = 30_000;
const pollIntervalMs = 20;

/**
 * Runs `work` while no other caller, in this process or another, holds the lock `file`, which is created if missing.
 * The system releases the lock when its process ends, so it is never taken over from a slow holder.
 */
export async function withProcessLock<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  // Loaded here, because most commands only read the configuration.
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(file, { timeout: 0 });
  try {
    const giveUpAt = performance.now() + acquireTimeoutMs;
    while (!tryBegin(() => database.exec('begin immediate'))) {
      if (performance.now() > giveUpAt)
        throw new AppError('bad-state', `another process holds ${file}`, { hint: 'retry in a moment' });
      await sleep(pollIntervalMs);
    }
    return await work();
  } finally {
    database.close();
  }
}

function tryBegin(begin: () => unknown): boolean {
  try {
    begin();
    return true;
  } catch (error) {
    if (errorCode(error)?.startsWith('SQLITE_BUSY') === true) return false;
    throw error;
  }
}
