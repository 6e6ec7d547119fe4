import type { Changes, CopyMergeResult } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { closeAfter, openPath } from '../vault/index.ts';
import type { Catalogue, ConflictCopy, VaultPath, VaultRoot } from '../vault/index.ts';
import type { FileStateStore } from './file-state-store.ts';
import type { ReportEvent } from './upkeep-events.ts';
import type { PendingStamps } from './pending-stamps.ts';

/** Merges one conflict copy into its note, or asks about it. */
export type MergeConflictCopy = (copy: ConflictCopy) => Promise<CopyMergeResult>;

/** Asks about git conflict markers in a note. */
export type AskAboutConflictMarkers = (path: VaultPath) => Promise<'asked' | 'unchanged' | 'busy'>;

/** Asks about a conflict copy whose note was deleted. Returns the path of that note, or null if nothing had to be asked. */
export type AskAboutOrphanedCopy = (path: VaultPath) => Promise<VaultPath | null>;

type Parts = {
  root: VaultRoot;
  catalogue: Pick<Catalogue, 'conflictCopies'>;
  settleCopy: MergeConflictCopy;
  askAboutMarkers: AskAboutConflictMarkers;
  askAboutLeftCopy: AskAboutOrphanedCopy;
  /** Records external edits before a merge, because the common base of note and copy may not be in history yet. */
  changes: Pick<Changes, 'recordExternalEdits'>;
  memory: FileStateStore;
  stamps: Pick<PendingStamps, 'forget'>;
  report: ReportEvent;
  monotonicNow: Clock;
  /**
   * How long note and copy must be unchanged before a merge, in milliseconds: a sync service may still write them.
   */
  quietMs: number;
};

/** Tracks conflict copies that wait to be merged into their notes, and edited notes that may contain conflict markers. */
export type ConflictCopyMerger = {
  /** Call when a note was edited by another program. */
  addEditedNote(path: VaultPath): void;
  /** Updates the list of conflict copies from the catalogue. */
  refresh(): Promise<void>;
  /** Forgets all of these files; the next refresh finds the copies again. */
  clear(): void;
  dueAt(): number;
  /** Processes the files that have been quiet for long enough; returns how many copies were merged. */
  run(isStopped: () => boolean): Promise<number>;
};

/** `isDone`: not tried again until the copy or the note changes. */
type PendingCopy = { copy: ConflictCopy; state: string; since: number; isDone: boolean };

export function createConflictCopyMerger(parts: Parts): ConflictCopyMerger {
  const { root, catalogue, memory, stamps, report, monotonicNow, quietMs } = parts;
  const waiting = new Map<VaultPath, PendingCopy>();
  /** Edited notes, with the time of the edit. */
  const edited = new Map<VaultPath, number>();
  const dueAt = ({ since, isDone }: PendingCopy): number => (isDone ? Infinity : since + quietMs);
  const mergeCopy = async (each: PendingCopy): Promise<boolean> => {
    const { path, original } = each.copy;
    const settled = await parts.settleCopy(each.copy);
    if (settled.kind === 'busy') Object.assign(each, { since: monotonicNow(), isDone: false });
    if (settled.kind === 'asked') report({ kind: 'copy-question', path, note: original });
    if (settled.kind !== 'merged') return false;
    waiting.delete(path);
    if (settled.note !== null) {
      const { revision, updated, size, mtime } = settled.note;
      stamps.forget(original);
      memory.put(original, { revision, updated, size, mtime, ctime: null, isRecorded: true, isGone: false });
    }
    report({ kind: 'copy-merged', path, note: original });
    return true;
  };
  const askAboutEditedNotes = async (isStopped: () => boolean): Promise<void> => {
    for (const [path, since] of edited) {
      if (isStopped()) break;
      if (since + quietMs > monotonicNow()) continue;
      edited.delete(path);
      const note = await parts.askAboutLeftCopy(path);
      if (note !== null) report({ kind: 'copy-question', path, note });
      const outcome = await parts.askAboutMarkers(path);
      if (outcome === 'busy') edited.set(path, monotonicNow());
      if (outcome === 'asked') report({ kind: 'markers-question', path });
    }
  };
  return {
    addEditedNote: (path) => void edited.set(path, monotonicNow()),
    async refresh() {
      const copies = catalogue.conflictCopies();
      const present = new Set(copies.map(({ path }) => path));
      for (const path of waiting.keys()) if (!present.has(path)) waiting.delete(path);
      for (const copy of copies) {
        const state = `${await fileFingerprint(root, copy.path)} ${await fileFingerprint(root, copy.original)}`;
        if (waiting.get(copy.path)?.state !== state)
          waiting.set(copy.path, { copy, state, since: monotonicNow(), isDone: false });
      }
    },
    clear() {
      waiting.clear();
      edited.clear();
    },
    dueAt: () =>
      Math.min(
        waiting.values().reduce((first, each) => Math.min(first, dueAt(each)), Infinity),
        edited.values().reduce((first, since) => Math.min(first, since + quietMs), Infinity),
      ),
    async run(isStopped) {
      await askAboutEditedNotes(isStopped);
      const due = [...waiting.values()].filter((each) => dueAt(each) <= monotonicNow());
      let merged = 0;
      try {
        if (due.length > 0) await parts.changes.recordExternalEdits([]);
        for (const each of due) {
          if (isStopped()) break;
          // A copy that fails is not tried again until one of the two files changes.
          each.isDone = true;
          if (await mergeCopy(each)) merged += 1;
        }
      } finally {
        memory.flush();
      }
      return merged;
    },
  };
}

/** A string that changes whenever the file changes. */
async function fileFingerprint(root: VaultRoot, path: VaultPath): Promise<string> {
  const found = openPath(root, path);
  if (found.kind !== 'file' && found.kind !== 'folder') return found.kind;
  return closeAfter(found, async () => `${found.stats.ino} ${found.stats.size} ${found.stats.mtimeMs}`);
}
