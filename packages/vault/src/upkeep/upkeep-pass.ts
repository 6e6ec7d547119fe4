import { treePath } from '../vault/index.ts';
import type { Catalogue } from '../vault/index.ts';
import type { ConflictCopyMerger } from './conflict-copy-merger.ts';
import type { EditDetector } from './edit-detector.ts';
import type { HistoryRecorder } from './history-recorder.ts';
import type { FileStateStore } from './file-state-store.ts';
import type { EventReporter } from './upkeep-events.ts';
import type { UpkeepRules } from './upkeep-rules.ts';
import type { Schedule } from './schedule.ts';
import type { PendingStamps } from './pending-stamps.ts';
import type { UpdateTreeFile } from './tree-file-updater.ts';

type Parts = {
  catalogue: Pick<Catalogue, 'contents' | 'refreshPath'>;
  memory: FileStateStore;
  /** Null if the vault is not available. */
  readRules: () => UpkeepRules | null;
  schedule: Schedule;
  edits: EditDetector;
  stamps: Pick<PendingStamps, 'clear' | 'run'>;
  copies: ConflictCopyMerger;
  keepTree: UpdateTreeFile;
  history: HistoryRecorder;
  applyRetention: () => Promise<{ changes: number; updates: number }>;
  reporter: EventReporter;
};

/** Runs each due job once. Edits are detected first, because the other jobs depend on them. */
export function createUpkeepPass(parts: Parts): (isStopped: () => boolean) => Promise<void> {
  const { schedule, edits, stamps, copies, history } = parts;
  const { attempt } = parts.reporter;
  /** Discards pending writes while the folder must not be written to. */
  const suspendWrites = (): void => {
    stamps.clear();
    copies.clear();
    schedule.cancelTreeWrite();
    schedule.postponeRecording();
    schedule.scheduleBaseline('later');
    schedule.postponeRetention();
  };
  return async (isStopped) => {
    const rules = parts.readRules();
    if (rules === null) {
      schedule.postponeScan();
      schedule.drainHints();
      suspendWrites();
      return;
    }
    if (schedule.isDue('scan')) await attempt('comparing all files', () => edits.scan(rules));
    else if (schedule.isDue('hints')) await attempt('checking changed files', () => edits.checkHints(rules));
    if (rules.isVault) await copies.refresh();
    else suspendWrites();
    if (rules.stamps === 'none') stamps.clear();
    if (isStopped()) return;
    if (schedule.isDue('copies'))
      await attempt('merging conflict copies', () => mergeCopies(parts, isStopped));
    // An edit is in history before its stamps, so that both are listed as one change.
    const isRecordingNeeded = schedule.isDue('stamp') && schedule.hasUnrecordedEdits();
    if ((schedule.isDue('record') || isRecordingNeeded) && !history.isBaselinePending())
      await attempt('recording external edits', () => history.record());
    if (schedule.isDue('stamp')) await attempt('stamping', () => stamp(parts, isStopped));
    if (schedule.isDue('tree')) await attempt('writing tree.md', () => writeTree(parts, rules));
    if (schedule.isDue('baseline') && !isStopped())
      await attempt('adding files to history', () => history.extendBaseline());
    if (schedule.isDue('retention') && !isStopped())
      await attempt('deleting old changes and updates', () => deleteOld(parts));
  };
}

async function mergeCopies({ copies, schedule }: Parts, isStopped: () => boolean): Promise<void> {
  if ((await copies.run(isStopped)) > 0) schedule.scheduleTreeWrite();
}

async function stamp(
  { stamps, schedule, memory, reporter: { report } }: Parts,
  isStopped: () => boolean,
): Promise<void> {
  try {
    const paths = await stamps.run(isStopped);
    if (paths.length === 0) return;
    schedule.scheduleTreeWrite();
    report({ kind: 'stamped', paths });
  } finally {
    memory.flush();
  }
}

async function deleteOld({ applyRetention, schedule, reporter: { report } }: Parts): Promise<void> {
  schedule.postponeRetention();
  const deleted = await applyRetention();
  if (deleted.changes + deleted.updates > 0) report({ kind: 'expired', ...deleted });
}

async function writeTree(
  { catalogue, keepTree, schedule, reporter: { report } }: Parts,
  { mayCreateTree }: UpkeepRules,
): Promise<void> {
  schedule.cancelTreeWrite();
  const kept = keepTree(await catalogue.contents(), mayCreateTree);
  if (kept === 'written') {
    await catalogue.refreshPath(treePath);
    report({ kind: 'tree-written' });
  }
  if (kept === 'foreign' && mayCreateTree) report({ kind: 'tree-not-generated' });
}
