import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { IndexStats, SearchEngine } from '../search/index.ts';
import { fileKindOf, isToolMemory, maxTextBytes, baseName } from '../vault/index.ts';
import type { Catalogue, VaultPath } from '../vault/index.ts';
import { findAllDifferences, findDifferences, createFileState, saveAllStates } from './find-differences.ts';
import type { FileDifference } from './find-differences.ts';
import type { ConflictCopyMerger } from './conflict-copy-merger.ts';
import type { FileStateStore } from './file-state-store.ts';
import type { ReportEvent } from './upkeep-events.ts';
import type { UpkeepRules } from './upkeep-rules.ts';
import type { Schedule } from './schedule.ts';
import type { PendingStamps } from './pending-stamps.ts';

type Parts = {
  catalogue: Catalogue;
  reconcile: () => Promise<IndexStats>;
  search: Pick<SearchEngine, 'filesChanged'>;
  changes: Pick<Changes, 'files'>;
  /** Records edits that were made before any file states were saved. */
  recordUnseen: () => Promise<void>;
  memory: FileStateStore;
  stamps: Pick<PendingStamps, 'add' | 'has' | 'forget'>;
  copies: Pick<ConflictCopyMerger, 'addEditedNote'>;
  schedule: Pick<Schedule, 'drainHints' | 'recordScan' | 'scheduleTreeWrite' | 'addEdit'>;
  report: ReportEvent;
  monotonicNow: Clock;
};

/** Detects edits by other programs and updates the catalogue and the index. */
export type EditDetector = {
  /** Compares all files. */
  scan(rules: UpkeepRules): Promise<void>;
  /** Checks only the paths that the file watcher has reported. */
  checkHints(rules: UpkeepRules): Promise<void>;
};

export function createEditDetector(parts: Parts): EditDetector {
  const { catalogue, memory, schedule, monotonicNow } = parts;
  return {
    async scan(rules) {
      const start = monotonicNow();
      schedule.drainHints();
      let found = 0;
      try {
        found = (await parts.reconcile()).files;
        const contents = await catalogue.contents();
        schedule.scheduleTreeWrite();
        if (!rules.isVault) return;
        if (memory.getValue('baseline') === null) {
          await saveAllStates(contents, catalogue, memory);
          memory.setValue('baseline', 'taken');
          await parts.recordUnseen();
        } else {
          const recorded = await parts.changes.files();
          handleDifferences(parts, await findAllDifferences(contents, catalogue, memory, recorded), rules);
        }
      } finally {
        schedule.recordScan(monotonicNow() - start, found);
      }
    },
    async checkHints(rules) {
      const changed = new Set<VaultPath>();
      for (const hint of schedule.drainHints())
        for (const { path } of await catalogue.refreshPath(hint)) changed.add(path);
      if (changed.size === 0) return;
      schedule.scheduleTreeWrite();
      await parts.search.filesChanged(
        [...changed].filter((path) => fileKindOf(baseName(path)) === 'markdown'),
      );
      if (rules.isVault && memory.getValue('baseline') !== null)
        handleDifferences(
          parts,
          findDifferences(changed, await catalogue.contents(), catalogue, memory),
          rules,
        );
    },
  };
}

const unknownState = { revision: null, size: 0, mtime: 0, ctime: null, updated: null };

/** Files that may be stamped are queued for stamping; the state of all others is saved immediately. */
function handleDifferences(
  { catalogue, memory, stamps, copies, schedule, report }: Parts,
  differences: readonly FileDifference[],
  rules: UpkeepRules,
): void {
  const isNews = ({ path, entry }: FileDifference): boolean => entry === null || !stamps.has(path);
  const paths = differences.filter(isNews).map(({ path }) => path);
  if (paths.length > 0) report({ kind: 'changed-files', paths });
  let isEdit = false;
  for (const { path, entry } of differences) {
    const seen = memory.files().get(path);
    if (entry === null) {
      stamps.forget(path);
      memory.put(path, { ...(seen ?? unknownState), isGone: true, isRecorded: false });
    } else {
      const now = createFileState(path, entry, catalogue, false);
      const isText = now.revision !== null && entry.size <= maxTextBytes;
      const mayStamp =
        !isToolMemory(path) &&
        (rules.stamps === 'all' || (rules.stamps === 'stamped-only' && entry.updated !== null));
      const isWaiting = mayStamp && isText;
      if (!isWaiting) memory.put(path, now);
      // A file that is already queued for stamping and has not changed since is not a new edit.
      if (isWaiting && !stamps.add(path, entry)) continue;
      if (isText && fileKindOf(baseName(path)) === 'markdown') copies.addEditedNote(path);
    }
    isEdit = true;
  }
  if (isEdit) schedule.addEdit();
  memory.flush();
}
