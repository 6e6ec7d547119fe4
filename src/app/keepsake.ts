import type { Clock } from '../contract/index.ts';
import { createRun, modelBounds } from '../tools/index.ts';
import type { Run } from '../tools/index.ts';
import { createCatalogue, createCatalogueStore, createView, openRoot } from '../vault/index.ts';
import type { Catalogue, VaultRoot } from '../vault/index.ts';
import { openCatalogueDatabase } from './databases.ts';
import { chooseVault } from './environment.ts';
import type { Environment } from './environment.ts';
import { stateFolderOf } from './state-folder.ts';

/** One open vault and what works on it. */
export type Keepsake = {
  root: VaultRoot;
  stateFolder: string;
  catalogue: Catalogue;
  /** Why the catalogue is not kept between starts, or null when it is. */
  notKept: string | null;
  /** A run for a person has no bounds; one for a model has those of a model. */
  newRun(reader: 'model' | 'person'): Run;
  close(): void;
};

export type KeepsakeOptions = {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
  clock?: Clock;
};

export function openKeepsake({ vault, state, environment, clock = Date.now }: KeepsakeOptions): Keepsake {
  const root = openRoot(chooseVault(vault, environment));
  const stateFolder = stateFolderOf(root, state, environment);
  const { database, notKept } = openCatalogueDatabase(stateFolder);
  const catalogue = createCatalogue(root, createCatalogueStore(database), clock);
  const view = createView(root, catalogue);
  return {
    root,
    stateFolder,
    catalogue,
    notKept,
    newRun: (reader) => createRun(view, reader === 'model' ? modelBounds : null),
    close: () => void database.close(),
  };
}
