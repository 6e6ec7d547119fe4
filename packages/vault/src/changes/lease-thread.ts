// Renews the leases of a process whose event loop may be busy.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { KeptLease, LeaseMessage } from './lease-keeper.ts';

const heartbeatIntervalMs = 1_000;

const database = new Database(workerData as string, { fileMustExist: true, timeout: 1_000 });
const leases = new Map<number, KeptLease>();

/** A lease that was taken over has another fence and is left alone. */
function renew({ table, fence, leaseMs }: KeptLease): void {
  try {
    database
      .prepare(`update ${table} set until = ? where fence = ? and until > 0`)
      .run(Date.now() + leaseMs, fence);
  } catch {
    // On a full disk, or while another process writes for long; the next heartbeat tries again.
  }
}

const timer = setInterval(() => {
  for (const lease of leases.values()) renew(lease);
}, heartbeatIntervalMs);

parentPort?.on('message', (message: LeaseMessage) => {
  if (message === 'close') {
    clearInterval(timer);
    database.close();
    parentPort?.close();
  } else if (message.lease === null) leases.delete(message.id);
  else leases.set(message.id, message.lease);
});
