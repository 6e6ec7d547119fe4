import type { Clock } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { CopyKeeper } from './copy-keeper.ts';
import type { StampEdits } from './stamp-edits.ts';
import type { Timing } from './timing.ts';
import type { Hints } from './watcher.ts';

type Job = 'scan' | 'look' | 'copies' | 'stamp' | 'tree' | 'baseline' | 'record';

/** When upkeep does what. */
export type Schedule = {
  isDue(job: Job): boolean;
  /** When the first job is due. */
  nextAt(): number;
  /** Something may have changed there: it is looked at now, and everything soon. Too many hints are only a scan. */
  hint(hints: Hints): void;
  /** What there is to look at; it is not told again. */
  takeHints(): ReadonlySet<VaultPath>;
  /** How long a scan took, and how many files it found that nobody had told of. */
  scanned(took: number, found: number): void;
  /** There is nothing to scan. */
  putOffScan(): void;
  /** The tree may have become another one. */
  noteTreeChange(): void;
  /** It is about to be written, or must not be. */
  dropTree(): void;
  /** Something was edited outside: history gets it when all is quiet. */
  noteEdit(): void;
  /** Whether history waits for that. */
  hasEdits(): boolean;
  /** History is about to get what there is, or must not. */
  putOffRecord(): void;
  /** When history is to take in files that it has never had. */
  setBaseline(when: 'now' | 'soon' | 'later'): void;
};

type Parts = {
  timing: Timing;
  elapsed: Clock;
  stamps: Pick<StampEdits, 'dueAt' | 'isWaiting'>;
  copies: Pick<CopyKeeper, 'dueAt'>;
};

export function createSchedule({ timing, elapsed, stamps, copies }: Parts): Schedule {
  const hints = new Set<VaultPath>();
  let scanAt = elapsed();
  /** A vault that takes long to compare is not compared all the time. */
  let noScanBefore = 0;
  /** When hints ask for a scan that came since the last one began: it may have passed by what they tell of. */
  let hintedScanAt = Infinity;
  let recordAt = scanAt + timing.recordEvery;
  let baselineAt = Infinity;
  /** When something was first and last edited outside that is not in history. */
  let edited: { first: number; last: number } | null = null;
  /** When the tree first and last may have become another one since it was written. */
  let treeChanged: { first: number; last: number } | null = null;

  const dueAt: Record<Job, () => number> = {
    scan: () => scanAt,
    look: () => (hints.size > 0 ? -Infinity : Infinity),
    copies: () => copies.dueAt(),
    stamp: () => stamps.dueAt(),
    /** While stamps are due the tree waits for them, so that one save makes one write; but not forever. */
    tree() {
      if (treeChanged === null) return Infinity;
      const { first, last } = treeChanged;
      return stamps.isWaiting() ? first + timing.treePatience : last + timing.treeQuiet;
    },
    baseline: () => baselineAt,
    record() {
      if (edited === null) return recordAt;
      return Math.min(edited.last + timing.recordQuiet, edited.first + timing.recordEvery);
    },
  };

  return {
    isDue: (job) => elapsed() >= dueAt[job](),
    nextAt: () => Math.min(...Object.values(dueAt).map((at) => at())),
    hint({ paths, isComplete }) {
      for (const path of paths) hints.add(path);
      const isBurst = !isComplete || hints.size > timing.burst;
      if (isBurst) hints.clear();
      const wanted = elapsed() + (isBurst ? timing.afterBurst : timing.afterHint);
      hintedScanAt = Math.min(hintedScanAt, wanted);
      scanAt = Math.min(scanAt, Math.max(wanted, noScanBefore));
    },
    takeHints() {
      const taken = new Set(hints);
      hints.clear();
      hintedScanAt = Infinity;
      return taken;
    },
    scanned(took, found) {
      // Where the watcher missed something it may have missed more, and what took long was not the comparing.
      noScanBefore = elapsed() + (found > 0 ? 1 : 5) * took;
      const next = elapsed() + (found > 0 ? timing.afterHint : timing.scanEvery);
      scanAt = Math.max(Math.min(next, hintedScanAt), noScanBefore);
    },
    putOffScan: () => void (scanAt = elapsed() + timing.scanEvery),
    noteTreeChange: () => void (treeChanged = { first: treeChanged?.first ?? elapsed(), last: elapsed() }),
    dropTree: () => void (treeChanged = null),
    noteEdit: () => void (edited = { first: edited?.first ?? elapsed(), last: elapsed() }),
    hasEdits: () => edited !== null,
    putOffRecord() {
      recordAt = elapsed() + timing.recordEvery;
      edited = null;
    },
    setBaseline(when) {
      baselineAt = elapsed() + { now: 0, soon: timing.afterBurst, later: timing.recordEvery }[when];
    },
  };
}
