import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { walkFilePaths } from '../vault/index.ts';
import type { Catalogue, VaultPath } from '../vault/index.ts';
import { isUserFile } from './find-differences.ts';
import type { FileStateStore } from './file-state-store.ts';
import type { ReportEvent } from './upkeep-events.ts';
import type { Schedule } from './schedule.ts';
import type { PendingStamps } from './pending-stamps.ts';

/** Records committed and external edits in history; external edits become changes of their own. */
export type HistoryAccess = Pick<Changes, 'recordExternalEdits' | 'baseline' | 'files'>;

type Parts = {
  changes: HistoryAccess;
  catalogue: Pick<Catalogue, 'contents'>;
  memory: FileStateStore;
  stamps: Pick<PendingStamps, 'paths'>;
  schedule: Pick<Schedule, 'postponeRecording' | 'scheduleRecording' | 'scheduleBaseline'>;
  report: ReportEvent;
  monotonicNow: Clock;
  /** How long a deletion waits to be recorded, in milliseconds. */
  deletionGraceMs: number;
};

export type HistoryRecorder = {
  /** Adds a batch of files that history has never contained; does nothing once it has all of them. */
  extendBaseline(): Promise<void>;
  /** Whether files are still missing from the baseline; recording of edits waits until it is complete. */
  isBaselinePending(): boolean;
  /** With `isFinal`, also records deletions that may be the first half of a move. */
  record(isFinal?: boolean): Promise<void>;
};

/** The number of files that are added before other work gets a turn. */
const batchSize = 200;
/** How often later deletions extend the wait for the first one. */
const maxGraces = 4;

export function createHistoryRecorder(parts: Parts): HistoryRecorder {
  const { memory, stamps, schedule, report } = parts;
  const { recordExternalEdits, baseline } = parts.changes;
  /** Files missing from history; null if they are unknown, or once history has contained every file. */
  let missing: VaultPath[] | null = null;
  /** Deleted files that are not recorded yet, with the time of the first attempt. */
  const deletions = new Map<VaultPath, number>();
  /**
   * When all unrecorded deletions are due. Together, because the files of a deleted folder may be noticed one after the
   * other, but are restored by one undo.
   */
  const deletionsDueAt = (): number => {
    const times = [...deletions.values()];
    const [oldest, newest] = [Math.min(...times), Math.max(...times)];
    return Math.min(newest, oldest + maxGraces * parts.deletionGraceMs) + parts.deletionGraceMs;
  };
  const awaitedDeletions = (): Set<VaultPath> => {
    const now = parts.monotonicNow();
    const gone = [...memory.files()].flatMap(([path, { isGone, isRecorded }]) =>
      isGone && !isRecorded ? [path] : [],
    );
    for (const path of deletions.keys()) if (!gone.includes(path)) deletions.delete(path);
    for (const path of gone) deletions.set(path, deletions.get(path) ?? now);
    return new Set(now < deletionsDueAt() ? gone : []);
  };

  const recordBaselineBatch = async (): Promise<void> => {
    missing ??= await baseline.findMissing(
      [...walkFilePaths(await parts.catalogue.contents())].filter(isUserFile),
    );
    if (missing === null) return;
    const done = new Set(
      missing.length === 0 ? [] : await baseline.addToBaseline(missing.slice(0, batchSize)),
    );
    missing.splice(0, batchSize, ...missing.slice(0, batchSize).filter((path) => !done.has(path)));
    const left = missing.length;
    if (left > 0) schedule.scheduleBaseline(done.size > 0 ? 'now' : 'soon');
    else {
      await baseline.markBaselineComplete();
      missing = null;
    }
    if (done.size > 0) report({ kind: 'baseline', files: done.size, left });
  };

  return {
    async extendBaseline() {
      schedule.scheduleBaseline('later');
      try {
        await recordBaselineBatch();
      } catch (error) {
        missing = null;
        throw error;
      }
    },
    isBaselinePending: () => missing !== null,
    async record(isFinal = false) {
      schedule.postponeRecording();
      const unrecorded = [...memory.files()].flatMap(([path, { isRecorded }]) => (isRecorded ? [] : [path]));
      const paths = [...new Set([...unrecorded, ...stamps.paths()])];
      const awaited = isFinal ? new Set<VaultPath>() : awaitedDeletions();
      const { done, edited } = await recordExternalEdits(paths, awaited);
      const left = awaited.difference(new Set(done));
      if (left.size > 0) schedule.scheduleRecording(deletionsDueAt());
      for (const path of done) {
        const seen = memory.files().get(path);
        if (seen?.isGone === true) {
          // Until files are stamped, because a new file with the content of a deleted one was moved and gets no stamps.
          if (stamps.paths().length === 0) memory.forget(path);
        }
        // The state of a file that is queued for stamping is saved after it was stamped.
        else if (seen !== undefined && !seen.isRecorded) memory.put(path, { ...seen, isRecorded: true });
      }
      memory.flush();
      if (edited.length > 0) report({ kind: 'recorded', paths: edited });
      // Damaged history is recreated and then lacks files that have not changed since.
      if (paths.length > 0) schedule.scheduleBaseline('now');
    },
  };
}
