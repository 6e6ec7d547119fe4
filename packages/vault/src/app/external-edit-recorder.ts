import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { createRecordedFiles, fileStateVersion, recordExternalEdits, takeBaseline } from '../upkeep/index.ts';
import type { RecordedFiles } from '../upkeep/index.ts';
import { readIdentity } from '../vault/index.ts';
import type { Catalogue, VaultRoot } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { withDisposable } from './databases.ts';
import { findOwnerProcess } from './owner.ts';
import type { State } from './state.ts';

/** Records files and external edits in history, for a process that does not run upkeep. */
export type ExternalEditRecorder = {
  /** Adds all files to history that it does not contain yet, so that each can be restored to its current state. */
  takeBaseline(onProgress: (done: number, total: number) => void): Promise<void>;
  /**
   * Records edits that other programs have made since the last call. With `ifDue`, skips the comparison if the last one
   * was recent, so that comparisons take only a small share of the time. Does nothing while another process serves the
   * vault, because that process records edits itself.
   */
  recordOutsideEdits(options?: { ifDue: boolean }): Promise<void>;
};

/** Files are compared again after this many times the duration of the last comparison. */
const pauseFactor = 20;

type Dependencies = {
  root: VaultRoot;
  state: Pick<State, 'folder' | 'ensureAdopted' | 'hasDurable'>;
  catalogue: Catalogue;
  changes: Changes;
  clock: Clock;
};

export function createExternalEditRecorder({
  root,
  state,
  catalogue,
  changes,
  clock,
}: Dependencies): ExternalEditRecorder {
  /** Does nothing when the state folder cannot be written, because nothing can be recorded then. */
  const withRecorded = async (work: (recorded: RecordedFiles) => Promise<void>): Promise<void> => {
    const file = databaseFile(state.folder(), 'upkeep');
    await withDisposable(file, fileStateVersion, async ({ database, persistenceError }) => {
      if (persistenceError === null) await work(createRecordedFiles(database));
    });
  };
  const isDue = (recorded: RecordedFiles): boolean => {
    const last = recorded.compared();
    const age = last === null ? Infinity : clock() - last.at;
    // The age is negative if the clock was ahead at the last comparison.
    return last === null || age < 0 || age > pauseFactor * last.took;
  };
  return {
    async takeBaseline(onProgress) {
      state.ensureAdopted();
      await withRecorded((recorded) => takeBaseline({ changes, catalogue, recorded, clock }, onProgress));
    },
    async recordOutsideEdits({ ifDue } = { ifDue: false }) {
      if (
        readIdentity(root) === null ||
        !state.hasDurable() ||
        findOwnerProcess(state.folder(), clock) !== null
      )
        return;
      await withRecorded(async (recorded) => {
        if (!ifDue || isDue(recorded)) await recordExternalEdits({ changes, catalogue, recorded, clock });
      });
    },
  };
}
