import type { Stamper, Writer } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { IndexStats, SearchEngine } from '../search/index.ts';
import type { Catalogue, VaultRoot } from '../vault/index.ts';
import { createConflictCopyMerger } from './conflict-copy-merger.ts';
import type {
  AskAboutOrphanedCopy,
  AskAboutConflictMarkers,
  MergeConflictCopy,
} from './conflict-copy-merger.ts';
import { createEditDetector } from './edit-detector.ts';
import { createHistoryRecorder } from './history-recorder.ts';
import type { HistoryAccess } from './history-recorder.ts';
import { createLoop } from './loop.ts';
import type { FileStateStore } from './file-state-store.ts';
import { createUpkeepPass } from './upkeep-pass.ts';
import { createEventReporter } from './upkeep-events.ts';
import type { UpkeepEvent } from './upkeep-events.ts';
import { createRuleReader } from './upkeep-rules.ts';
import { createSchedule } from './schedule.ts';
import { createPendingStamps } from './pending-stamps.ts';
import type { IsLastOwnWrite } from './pending-stamps.ts';
import { defaultTiming } from './timing.ts';
import type { UpkeepTiming } from './timing.ts';
import { createTreeFileUpdater } from './tree-file-updater.ts';
import { createVectorIndexer } from './vector-indexer.ts';
import type { VectorAccess } from './vector-indexer.ts';
import type { ChangeHints, StartWatching } from './watcher.ts';

export type UpkeepDependencies = {
  root: VaultRoot;
  catalogue: Catalogue;
  /** Compares all files with the index and also updates the catalogue. */
  reconcile: () => Promise<IndexStats>;
  search: Pick<SearchEngine, 'filesChanged'>;
  vectors: VectorAccess;
  writer: Pick<Writer, 'write'>;
  stamps: Stamper;
  isLastOwnWrite: IsLastOwnWrite;
  memory: FileStateStore;
  changes: HistoryAccess;
  /** Records edits that were made before any file states were saved. */
  recordUnseen: () => Promise<void>;
  /** Deletes changes and updates that are older than configured, returns their numbers, and compacts history. */
  applyRetention: () => Promise<{ changes: number; updates: number }>;
  settleCopy: MergeConflictCopy;
  askAboutMarkers: AskAboutConflictMarkers;
  askAboutLeftCopy: AskAboutOrphanedCopy;
  watch: StartWatching;
  clock: Clock;
  /** Called for every action and every failure. Must not throw. */
  onEvent: (event: UpkeepEvent) => void;
  timing?: Partial<UpkeepTiming>;
};

export type Upkeep = {
  /** Stops upkeep after the running job. */
  stop(): Promise<void>;
};

const monotonicNow: Clock = () => performance.now();

/**
 * Keeps the catalogue, index, vectors, stamps, `tree.md` and history up to date while files are edited. The watcher may
 * miss changes, which periodic full scans then find. A failing job is reported and never stops the loop.
 */
export function startUpkeep(parts: UpkeepDependencies): Upkeep {
  const { root, memory, watch, onEvent } = parts;
  const timing = { ...defaultTiming, ...parts.timing };
  const reporter = createEventReporter(onEvent, monotonicNow);
  const { report } = reporter;
  const stamps = createPendingStamps({ ...parts, monotonicNow, ...timing });
  const copies = createConflictCopyMerger({
    ...parts,
    stamps,
    report,
    monotonicNow,
    quietMs: timing.stampQuietMs,
  });
  const schedule = createSchedule({ timing, monotonicNow, stamps, copies });
  const edits = createEditDetector({ ...parts, stamps, copies, schedule, report, monotonicNow });
  const keepTree = createTreeFileUpdater({ root, memory, monotonicNow });
  const readRules = createRuleReader(root, report);
  const history = createHistoryRecorder({ ...parts, ...timing, stamps, schedule, report, monotonicNow });
  const pass = createUpkeepPass({
    ...parts,
    readRules,
    schedule,
    edits,
    stamps,
    copies,
    history,
    keepTree,
    reporter,
  });
  const vectors = createVectorIndexer({ ...parts.vectors, report, monotonicNow, timing });
  const work = async (isStopped: () => boolean): Promise<void> => {
    await pass(isStopped);
    vectors.wake();
  };
  const loop = createLoop({ nextAt: () => schedule.nextAt(), work, monotonicNow });
  const onHints = (hints: ChangeHints): void => {
    schedule.addHints(hints);
    loop.wake();
  };
  const watcher = watch(onHints, (error) => report({ kind: 'failed', operation: 'watching', error }));
  schedule.scheduleBaseline('soon');
  loop.wake();
  return {
    async stop() {
      await Promise.all([loop.stop(), vectors.stop(), watcher.close()]);
      // On stop, edits are recorded without waiting for the quiet period.
      if (schedule.hasUnrecordedEdits() && readRules()?.isVault === true)
        await reporter.attempt('recording external edits', () => history.record(true));
    },
  };
}
