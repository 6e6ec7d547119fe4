import type { Clock } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { ConflictCopyMerger } from './conflict-copy-merger.ts';
import type { PendingStamps } from './pending-stamps.ts';
import type { UpkeepTiming } from './timing.ts';
import type { ChangeHints } from './watcher.ts';

type Job = 'scan' | 'hints' | 'copies' | 'stamp' | 'tree' | 'baseline' | 'record' | 'retention';

/** Decides when each upkeep job runs. All times are in milliseconds of the monotonic clock. */
export type Schedule = {
  isDue(job: Job): boolean;
  /** When the next job is due. */
  nextAt(): number;
  /**
   * Adds paths at which the watcher noticed possible changes: they are checked now, and all files soon. Too many paths
   * are replaced by a scan.
   */
  addHints(hints: ChangeHints): void;
  /** Returns and clears the paths from `addHints`. */
  drainHints(): ReadonlySet<VaultPath>;
  /** Records the duration of a scan and the number of changed files that the watcher had missed. */
  recordScan(took: number, found: number): void;
  /** Postpones the scan because the vault is not available. */
  postponeScan(): void;
  /** Call when the tree may have changed. */
  scheduleTreeWrite(): void;
  /** Call when `tree.md` is about to be written or must not be written. */
  cancelTreeWrite(): void;
  /** Call after an external edit; it is recorded in history after a quiet period. */
  addEdit(): void;
  /** Whether external edits wait to be recorded. */
  hasUnrecordedEdits(): boolean;
  /** Call when edits are about to be recorded or must not be recorded. */
  postponeRecording(): void;
  /** Schedules the next recording at this time at the latest. */
  scheduleRecording(at: number): void;
  /** Schedules the next batch of files for the history baseline. */
  scheduleBaseline(when: 'now' | 'soon' | 'later'): void;
  /** Call when retention is about to be applied or must not be applied. */
  postponeRetention(): void;
};

type Parts = {
  timing: UpkeepTiming;
  monotonicNow: Clock;
  stamps: Pick<PendingStamps, 'dueAt' | 'hasPending'>;
  copies: Pick<ConflictCopyMerger, 'dueAt'>;
};

export function createSchedule({ timing, monotonicNow, stamps, copies }: Parts): Schedule {
  const hints = new Set<VaultPath>();
  let scanAt = monotonicNow();
  /** Prevents constant scanning of a vault that takes long to compare. */
  let earliestScanAt = 0;
  /**
   * When to scan again for changes noticed during the current scan, which may already have passed the changed files.
   */
  let hintedScanAt = Infinity;
  let recordAt = scanAt + timing.recordIntervalMs;
  let baselineAt = Infinity;
  let retentionAt = recordAt;
  /** First and last time of the external edits that are not in history. */
  let edited: { first: number; last: number } | null = null;
  /** First and last possible change of the tree since it was written. */
  let treeChanged: { first: number; last: number } | null = null;

  const dueAt: Record<Job, () => number> = {
    scan: () => scanAt,
    hints: () => (hints.size > 0 ? -Infinity : Infinity),
    copies: () => copies.dueAt(),
    stamp: () => stamps.dueAt(),
    /** The tree waits for pending stamps up to a limit, so that one save causes one write. */
    tree() {
      if (treeChanged === null) return Infinity;
      const { first, last } = treeChanged;
      return stamps.hasPending() ? first + timing.treeMaxDelayMs : last + timing.treeQuietMs;
    },
    baseline: () => baselineAt,
    retention: () => retentionAt,
    record() {
      if (edited === null) return recordAt;
      const { first, last } = edited;
      return Math.min(recordAt, last + timing.recordQuietMs, first + timing.recordIntervalMs);
    },
  };

  return {
    isDue: (job) => monotonicNow() >= dueAt[job](),
    nextAt: () => Math.min(...Object.values(dueAt).map((at) => at())),
    addHints({ paths, isComplete }) {
      for (const path of paths) hints.add(path);
      const isBurst = !isComplete || hints.size > timing.maxHints;
      if (isBurst) hints.clear();
      const requestedAt = monotonicNow() + (isBurst ? timing.burstScanDelayMs : timing.hintScanDelayMs);
      hintedScanAt = Math.min(hintedScanAt, requestedAt);
      scanAt = Math.min(scanAt, Math.max(requestedAt, earliestScanAt));
    },
    drainHints() {
      const drained = new Set(hints);
      hints.clear();
      hintedScanAt = Infinity;
      return drained;
    },
    recordScan(took, found) {
      // If the watcher missed changes, it may have missed more, so the next scan is soon. This scan also took longer
      // because of indexing, so its duration counts less.
      earliestScanAt = monotonicNow() + (found > 0 ? 1 : 5) * took;
      const next = monotonicNow() + (found > 0 ? timing.hintScanDelayMs : timing.scanIntervalMs);
      scanAt = Math.max(Math.min(next, hintedScanAt), earliestScanAt);
    },
    postponeScan: () => void (scanAt = monotonicNow() + timing.scanIntervalMs),
    scheduleTreeWrite: () =>
      void (treeChanged = { first: treeChanged?.first ?? monotonicNow(), last: monotonicNow() }),
    cancelTreeWrite: () => void (treeChanged = null),
    addEdit: () => void (edited = { first: edited?.first ?? monotonicNow(), last: monotonicNow() }),
    hasUnrecordedEdits: () => edited !== null,
    postponeRecording() {
      recordAt = monotonicNow() + timing.recordIntervalMs;
      edited = null;
    },
    scheduleRecording: (at) => void (recordAt = Math.min(recordAt, at)),
    postponeRetention: () => void (retentionAt = monotonicNow() + timing.retentionIntervalMs),
    scheduleBaseline(when) {
      baselineAt =
        monotonicNow() + { now: 0, soon: timing.burstScanDelayMs, later: timing.recordIntervalMs }[when];
    },
  };
}
