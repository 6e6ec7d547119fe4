import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { createRecordedFiles, memoryVersion, recordOutsideEdits, takeBaseline } from '../upkeep/index.ts';
import type { RecordedFiles } from '../upkeep/index.ts';
import { readIdentity } from '../vault/index.ts';
import type { Catalogue, VaultRoot } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { openDisposable } from './databases.ts';
import { findOwner } from './owner.ts';
import type { State } from './state.ts';

/** How history learns of files in a process that has no upkeep. */
export type OutsideRecorder = {
  /** Takes all files into history that it has never had: see `takeBaseline`. */
  takeBaseline(onProgress: (done: number, total: number) => void): Promise<void>;
  /**
   * Records what other programs have done to files since. With `ifDue` not when that was done a moment ago: comparing all files
   * takes at most a small part of the time then. Nothing is done beside a process that serves the vault, which records them itself.
   */
  recordOutsideEdits(options?: { ifDue: boolean }): Promise<void>;
};

/** All files are compared again after this multiple of the time that the last comparison took. */
const pauseFactor = 20;

type Parts = {
  root: VaultRoot;
  state: Pick<State, 'folder' | 'adopt' | 'hasDurable'>;
  catalogue: Catalogue;
  changes: Changes;
  clock: Clock;
};

export function createOutsideRecorder({ root, state, catalogue, changes, clock }: Parts): OutsideRecorder {
  /** Does nothing where the state folder cannot be written: then nothing can be recorded either. */
  const withRecorded = async (work: (recorded: RecordedFiles) => Promise<void>): Promise<void> => {
    const { database, notKept } = openDisposable(databaseFile(state.folder(), 'upkeep'), memoryVersion);
    try {
      if (notKept === null) await work(createRecordedFiles(database));
    } finally {
      database.close();
    }
  };
  const isDue = (recorded: RecordedFiles): boolean => {
    const last = recorded.compared();
    const age = last === null ? Infinity : clock() - last.at;
    // A negative age comes from a clock that was ahead.
    return last === null || age < 0 || age > pauseFactor * last.took;
  };
  return {
    async takeBaseline(onProgress) {
      state.adopt();
      await withRecorded((recorded) => takeBaseline({ changes, catalogue, recorded, clock }, onProgress));
    },
    async recordOutsideEdits({ ifDue } = { ifDue: false }) {
      if (readIdentity(root) === null || !state.hasDurable() || findOwner(state.folder(), clock) !== null)
        return;
      await withRecorded(async (recorded) => {
        if (!ifDue || isDue(recorded)) await recordOutsideEdits({ changes, catalogue, recorded, clock });
      });
    },
  };
}
