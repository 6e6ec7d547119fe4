import { setTimeout as sleep } from 'node:timers/promises';
import { SyncError } from './error.ts';
import { syncOnce } from './round.ts';
import type { RoundParts, SyncReport } from './round.ts';

/** How often others may be quicker before it is left for another time. */
const mostRounds = 10;

/** Brings this machine and the remote to the same files. */
export async function syncVault(parts: RoundParts): Promise<SyncReport> {
  const report: SyncReport = {
    received: [],
    deleted: [],
    merged: [],
    asked: [],
    restored: [],
    sent: 0,
    sentDeletions: 0,
    leftOut: [],
    changes: [],
  };
  try {
    for (let round = 1; round <= mostRounds; round += 1) {
      if (await syncOnce(parts, report)) {
        if (report.sent + report.sentDeletions + report.received.length > 0) await parts.repository.tidy();
        return report;
      }
      // Two machines that are equally quick must not meet again and again.
      await sleep(Math.random() * 100 * round);
    }
  } finally {
    parts.seen.flush();
  }
  throw new SyncError('overtaken', 'other machines sent something each time this one was about to', {
    mend: 'what came from there is in the vault; try again in a moment',
  });
}
