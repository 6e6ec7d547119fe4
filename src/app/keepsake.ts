import type { Clock } from '../contract/index.ts';
import { createWriteRun, modelBounds, personBounds, writePolicy } from '../tools/index.ts';
import type { WriteRun } from '../tools/index.ts';
import { createCatalogue, createTransaction, createView, openRoot } from '../vault/index.ts';
import type { Catalogue, CommitListener, VaultRoot } from '../vault/index.ts';
import { openCatalogue } from './databases.ts';
import { chooseVault } from './environment.ts';
import type { Environment } from './environment.ts';
import { openChanges } from './changes.ts';
import type { Changes } from './changes.ts';
import { claimState, stateFolderOf } from './state-folder.ts';

/** One open vault and what works on it. */
export type Keepsake = {
  root: VaultRoot;
  stateFolder: string;
  catalogue: Catalogue;
  changes: Changes;
  /** A run for a person has no bounds; one for a model has those of a model. What it stages waits for its commit. */
  newRun(reader: 'model' | 'person'): WriteRun;
  /**
   * Ends everything; waits until history has what was written. What it could not take, and why, is told: the journal
   * keeps it, and the next close tries again.
   */
  close(): Promise<{ notRecorded: string | null }>;
};

export type KeepsakeOptions = {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
  clock?: Clock;
};

/** Completes first what a crash may have interrupted, so that nobody reads half an update. */
export async function openKeepsake({
  vault,
  state,
  environment,
  clock = Date.now,
}: KeepsakeOptions): Promise<Keepsake> {
  const root = openRoot(chooseVault(vault, environment));
  const stateFolder = stateFolderOf(root, state, environment);
  const { store, close } = openCatalogue(stateFolder);
  const catalogue = createCatalogue(root, store, clock);
  const view = createView(root, catalogue);
  const lookAgain: CommitListener = async (changes) => {
    for (const { path } of changes) await catalogue.changed(path);
  };
  const changes = await openChanges({
    root,
    clock,
    listeners: [lookAgain],
    stateFolder: () => stateFolderOf(root, state, environment),
    claimState: () => claimState(root, state, environment),
    searchPath: environment.searchPath,
  });
  return {
    root,
    stateFolder,
    catalogue,
    changes,
    newRun(reader) {
      const policy = writePolicy(reader === 'model' ? 'wait' : 'confirm');
      return createWriteRun(
        createTransaction(view, changes.writer, policy, clock),
        reader === 'model' ? modelBounds : personBounds,
      );
    },
    async close() {
      close();
      try {
        await changes.record();
        return { notRecorded: null };
      } catch (error) {
        return { notRecorded: error instanceof Error ? error.message : String(error) };
      } finally {
        changes.close();
      }
    },
  };
}
