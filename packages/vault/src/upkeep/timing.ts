/** Intervals and delays of upkeep, in milliseconds unless stated otherwise. */
export type UpkeepTiming = {
  /** Time for which a file must be unchanged before it is stamped. */
  stampQuietMs: number;
  /** The same where open writers cannot be detected. */
  undetectableStampQuietMs: number;
  scanIntervalMs: number;
  /** Number of hints, paths that the file watcher has reported, above which a full scan replaces checking them. */
  maxHints: number;
  /** Delay of that scan. */
  burstScanDelayMs: number;
  /** Delay of the full scan after any hint: where the watcher noticed one change, it may have missed another. */
  hintScanDelayMs: number;
  /** Time without changes before `tree.md` is written. */
  treeQuietMs: number;
  /** Maximum time that `tree.md` waits for files to be stamped. */
  treeMaxDelayMs: number;
  /** Time without external edits before they are recorded in history; edits of a file until then form one change. */
  recordQuietMs: number;
  /** How long a deletion waits to be recorded, because a sync service may deliver the file at its new path later. */
  deletionGraceMs: number;
  /** Maximum delay before external edits are recorded, and the interval between attempts. */
  recordIntervalMs: number;
  /** Interval between deletions of old changes and updates. */
  retentionIntervalMs: number;
  /** Delay before a file that could not be stamped is tried again. */
  stampRetryDelayMs: number;
  /** Backoff after the first failure of a model; doubled after each further failure. */
  minModelBackoffMs: number;
  maxModelBackoffMs: number;
  /** Interval for deleting the vectors of removed chunks. A chunk that returns before then needs no new vector. */
  vectorCleanupIntervalMs: number;
};

export const defaultTiming: UpkeepTiming = {
  stampQuietMs: 5_000,
  undetectableStampQuietMs: 60_000,
  scanIntervalMs: 60_000,
  maxHints: 100,
  burstScanDelayMs: 2_000,
  hintScanDelayMs: 15_000,
  treeQuietMs: 2_000,
  treeMaxDelayMs: 30_000,
  recordQuietMs: 2_000,
  deletionGraceMs: 20_000,
  recordIntervalMs: 5 * 60_000,
  retentionIntervalMs: 24 * 60 * 60_000,
  stampRetryDelayMs: 10 * 60_000,
  minModelBackoffMs: 5_000,
  maxModelBackoffMs: 10 * 60_000,
  vectorCleanupIntervalMs: 60 * 60_000,
};
