import { setTimeout as sleep } from 'node:timers/promises';
import { SyncError } from './sync-error.ts';
import type { SyncContext, SyncReport } from './sync-context.ts';
import { runSyncRound } from './sync-round.ts';

/** Number of rounds before the sync gives up because other machines keep pushing first. */
const maxRounds = 10;

/** Syncs the vault with the remote in both directions. */
export async function syncVault(parts: SyncContext): Promise<SyncReport> {
  const report: SyncReport = {
    received: [],
    deleted: [],
    merged: [],
    conflicts: [],
    renamed: [],
    forgotten: { received: 0, sent: 0, isRemotePurged: true },
    restored: [],
    sent: 0,
    sentDeletions: 0,
    leftOut: [],
    changes: [],
  };
  try {
    for (let round = 1; round <= maxRounds; round += 1) {
      if (await runSyncRound(parts, report)) {
        if (report.sent + report.sentDeletions + report.received.length > 0) await parts.repository.gc();
        return report;
      }
      // A random delay keeps two equally fast machines from colliding again and again.
      await sleep(Math.random() * 100 * round);
    }
  } finally {
    parts.seen.flush();
  }
  throw new SyncError('overtaken', 'other machines kept pushing before this one could', {
    hint: 'the received changes are in the vault; try again in a moment',
  });
}
