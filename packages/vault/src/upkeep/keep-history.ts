import type { Changes } from '../changes/index.ts';
import { filePathsBelow } from '../vault/index.ts';
import type { Catalogue, VaultPath } from '../vault/index.ts';
import { isKept } from './compare.ts';
import type { Memory } from './memory.ts';
import type { Report } from './report.ts';
import type { Schedule } from './schedule.ts';
import type { StampEdits } from './stamp-edits.ts';

/** Brings into history what was written, and what was edited outside as changes of its own. */
export type KeepHistory = Pick<Changes, 'recordOutside' | 'baseline' | 'files'>;

type Parts = {
  changes: KeepHistory;
  catalogue: Pick<Catalogue, 'contents'>;
  memory: Memory;
  stamps: Pick<StampEdits, 'paths'>;
  schedule: Pick<Schedule, 'putOffRecord' | 'setBaseline'>;
  report: Report;
};

export type HistoryKeeper = {
  /** Some of the files that history has never had; nothing once it has had all of them. */
  makeBaseline(): Promise<void>;
  /** Whether some of those are still to come: what is edited meanwhile waits for it. */
  isMakingBaseline(): boolean;
  record(): Promise<void>;
};

/** Taken into history before somebody else has a turn. */
const batchSize = 200;

export function createHistoryKeeper(parts: Parts): HistoryKeeper {
  const { memory, stamps, schedule, report } = parts;
  const { recordOutside, baseline } = parts.changes;
  /** Files that history lacks; null when that is not known, or when it has had all. */
  let missing: VaultPath[] | null = null;

  const takeSome = async (): Promise<void> => {
    missing ??= await baseline.missing([...filePathsBelow(await parts.catalogue.contents())].filter(isKept));
    if (missing === null) return;
    const done = new Set(missing.length === 0 ? [] : await baseline.addMissing(missing.slice(0, batchSize)));
    missing.splice(0, batchSize, ...missing.slice(0, batchSize).filter((path) => !done.has(path)));
    const left = missing.length;
    if (left > 0) schedule.setBaseline(done.size > 0 ? 'now' : 'soon');
    else {
      await baseline.setComplete();
      missing = null;
    }
    if (done.size > 0) report({ kind: 'baseline', files: done.size, left });
  };

  return {
    async makeBaseline() {
      schedule.setBaseline('later');
      try {
        await takeSome();
      } catch (error) {
        missing = null;
        throw error;
      }
    },
    isMakingBaseline: () => missing !== null,
    async record() {
      schedule.putOffRecord();
      const unrecorded = [...memory.files()].flatMap(([path, { isRecorded }]) => (isRecorded ? [] : [path]));
      const paths = [...new Set([...unrecorded, ...stamps.paths()])];
      const { done, edited } = await recordOutside(paths);
      for (const path of done) {
        const seen = memory.files().get(path);
        if (seen?.isGone === true) memory.forget(path);
        // What waits for its stamps is remembered once it has them.
        else if (seen !== undefined && !seen.isRecorded) memory.put(path, { ...seen, isRecorded: true });
      }
      memory.flush();
      if (edited.length > 0) report({ kind: 'recorded', paths: edited });
      // Damaged history is begun anew, and then lacks what nobody has changed since.
      if (paths.length > 0) schedule.setBaseline('now');
    },
  };
}
