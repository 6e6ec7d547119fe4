import type { Changes, SettledCopy } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { closing, enter } from '../vault/index.ts';
import type { Catalogue, ConflictCopy, VaultPath, VaultRoot } from '../vault/index.ts';
import type { Memory } from './memory.ts';
import type { Report } from './report.ts';
import type { StampEdits } from './stamp-edits.ts';

/** Brings one conflict copy into its note, or asks about it. */
export type SettleCopy = (copy: ConflictCopy) => Promise<SettledCopy>;

/** Asks about what git left in a note that it could not merge. */
export type AskAboutMarkers = (path: VaultPath) => Promise<'asked' | 'left' | 'disturbed'>;

/** Asks about a conflict copy whose note is gone; gives that note. */
export type AskAboutLeftCopy = (path: VaultPath) => Promise<VaultPath | null>;

type Parts = {
  root: VaultRoot;
  catalogue: Pick<Catalogue, 'conflictCopies'>;
  settleCopy: SettleCopy;
  askAboutMarkers: AskAboutMarkers;
  askAboutLeftCopy: AskAboutLeftCopy;
  /** What both come from may not be in history yet. */
  changes: Pick<Changes, 'recordOutside'>;
  memory: Memory;
  stamps: Pick<StampEdits, 'forget'>;
  report: Report;
  elapsed: Clock;
  /** How long note and copy must be the same: a service may still be writing them. */
  quiet: number;
};

/** Conflict copies that wait to be merged into their notes, and notes that may hold two versions of themselves. */
export type CopyKeeper = {
  /** A note was edited outside. */
  noticeEdit(path: VaultPath): void;
  /** Looks which there are. */
  notice(): Promise<void>;
  /** Forgets them; the next look finds them again. */
  clear(): void;
  dueAt(): number;
  /** Deals with those that are quiet; tells how many were merged. */
  run(isStopped: () => boolean): Promise<number>;
};

/** `isDone` when it is left as it is until one of the two changes. */
type Waiting = { copy: ConflictCopy; state: string; since: number; isDone: boolean };

export function createCopyKeeper(parts: Parts): CopyKeeper {
  const { root, catalogue, memory, stamps, report, elapsed, quiet } = parts;
  const waiting = new Map<VaultPath, Waiting>();
  /** Notes that were edited, and when. */
  const edited = new Map<VaultPath, number>();
  const dueAt = ({ since, isDone }: Waiting): number => (isDone ? Infinity : since + quiet);
  const settle = async (each: Waiting): Promise<boolean> => {
    const { path, original } = each.copy;
    const settled = await parts.settleCopy(each.copy);
    if (settled.kind === 'disturbed') Object.assign(each, { since: elapsed(), isDone: false });
    if (settled.kind === 'asked') report({ kind: 'asked-about-copy', path, note: original });
    if (settled.kind !== 'merged') return false;
    waiting.delete(path);
    if (settled.note !== null) {
      const { revision, updated, size, mtime } = settled.note;
      stamps.forget(original);
      memory.put(original, { revision, updated, size, mtime, ctime: null, isRecorded: true, isGone: false });
    }
    report({ kind: 'merged-copy', path, note: original });
    return true;
  };
  const askAboutEdited = async (isStopped: () => boolean): Promise<void> => {
    for (const [path, since] of edited) {
      if (isStopped()) break;
      if (since + quiet > elapsed()) continue;
      edited.delete(path);
      const note = await parts.askAboutLeftCopy(path);
      if (note !== null) report({ kind: 'asked-about-copy', path, note });
      const outcome = await parts.askAboutMarkers(path);
      if (outcome === 'disturbed') edited.set(path, elapsed());
      if (outcome === 'asked') report({ kind: 'asked-about-markers', path });
    }
  };
  return {
    noticeEdit: (path) => void edited.set(path, elapsed()),
    async notice() {
      const copies = catalogue.conflictCopies();
      const present = new Set(copies.map(({ path }) => path));
      for (const path of waiting.keys()) if (!present.has(path)) waiting.delete(path);
      for (const copy of copies) {
        const state = `${await stateOf(root, copy.path)} ${await stateOf(root, copy.original)}`;
        if (waiting.get(copy.path)?.state !== state)
          waiting.set(copy.path, { copy, state, since: elapsed(), isDone: false });
      }
    },
    clear() {
      waiting.clear();
      edited.clear();
    },
    dueAt: () =>
      Math.min(
        waiting.values().reduce((first, each) => Math.min(first, dueAt(each)), Infinity),
        edited.values().reduce((first, since) => Math.min(first, since + quiet), Infinity),
      ),
    async run(isStopped) {
      await askAboutEdited(isStopped);
      const due = [...waiting.values()].filter((each) => dueAt(each) <= elapsed());
      let merged = 0;
      try {
        if (due.length > 0) await parts.changes.recordOutside([]);
        for (const each of due) {
          if (isStopped()) break;
          // What fails is not tried again before something changes.
          each.isDone = true;
          if (await settle(each)) merged += 1;
        }
      } finally {
        memory.flush();
      }
      return merged;
    },
  };
}

/** What changes when the file does. */
async function stateOf(root: VaultRoot, path: VaultPath): Promise<string> {
  const found = enter(root, path);
  if (found.kind !== 'file' && found.kind !== 'folder') return found.kind;
  return closing(found, async () => `${found.stats.ino} ${found.stats.size} ${found.stats.mtimeMs}`);
}
