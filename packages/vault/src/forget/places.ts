import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { ForgetPlace, UnreachablePlace } from '../contract/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { countRows } from './disposable-database.ts';
import { findInDurable } from './durable-database.ts';
import { ForgetError } from './forget-error.ts';
import { openForgettingRepository } from './git-repository.ts';
import type { Redactor } from './redactor.ts';
import { fileContains, listFiles } from './state-files.ts';
import type { StateFiles } from './state-files.ts';
import { findFiles, findTemporaryFiles, toPlaces } from './vault-files.ts';

/** Everything that a vault stores on this machine. */
export type VaultStores = {
  root: VaultRoot;
  stateFolder: () => string;
  /** Null if nothing was ever written. */
  durable: () => Database | null;
  stateFiles: () => StateFiles;
  searchPath: string;
};

export type FoundPlaces = { places: ForgetPlace[]; unreachable: UnreachablePlace[] };

/** Looks for the words in every store. */
export async function findPlaces(stores: VaultStores, redactor: Redactor): Promise<FoundPlaces> {
  const { root, searchPath } = stores;
  const folder = stores.stateFolder();
  const files = findFiles(root, redactor);
  const history = await findInHistory(folder, searchPath, redactor);
  const synced = await openForgettingRepository(join(folder, 'sync.git'), searchPath).find(redactor);
  const durable = stores.durable();
  const places: ForgetPlace[] = [
    ...toPlaces(files),
    ...history.places,
    ...(durable === null ? [] : findInDurable(durable, redactor)),
    ...listDisposable(folder).flatMap((file) => toPlace('index', basename(file), countRows(file, redactor))),
    ...stores.stateFiles().find(redactor),
    ...findTemporaryFiles(root, redactor).map((file) => ({
      store: 'temporary' as const,
      name: relative(root, file),
      count: 1,
    })),
    ...[...synced].map(([name, count]) => ({ store: 'sync' as const, name, count })),
  ];
  return { places, unreachable: [...files.unreachable, ...history.unreachable] };
}

/** Looks for bytes that no store reports: free pages, write-ahead logs and files that no module knows. */
export async function findRawTraces(stateFolder: string, redactor: Redactor): Promise<ForgetPlace[]> {
  const places: ForgetPlace[] = [];
  for (const file of listFiles(stateFolder)) {
    const name = relative(stateFolder, file);
    // Objects are compressed; they are read through git.
    if (/\.git[^/\\]*[/\\]objects[/\\]/.test(name) || name === 'forgetting.json') continue;
    if (redactor.matches(name) || (await fileContains(file, redactor)))
      places.push({ store: 'state', name, count: 1 });
  }
  return places;
}

function toPlace(store: ForgetPlace['store'], name: string, count: number): ForgetPlace[] {
  return count === 0 ? [] : [{ store, name, count }];
}

/** The databases that can be rebuilt. */
export function listDisposable(stateFolder: string): string[] {
  return listDatabases(stateFolder).filter((file) => basename(file) !== 'keepsake.sqlite');
}

export function listDatabases(stateFolder: string): string[] {
  const names = existsSync(stateFolder) ? readdirSync(stateFolder) : [];
  return names.filter((name) => name.endsWith('.sqlite')).map((name) => join(stateFolder, name));
}

/** The history of a vault, and the damaged repositories that it replaced. */
export function listHistories(stateFolder: string): { folder: string; isDamaged: boolean }[] {
  const names = existsSync(stateFolder) ? readdirSync(stateFolder) : [];
  return names
    .filter((name) => name.startsWith('history.git'))
    .map((name) => ({ folder: join(stateFolder, name), isDamaged: name !== 'history.git' }));
}

async function findInHistory(
  stateFolder: string,
  searchPath: string,
  redactor: Redactor,
): Promise<FoundPlaces> {
  const found: FoundPlaces = { places: [], unreachable: [] };
  for (const { folder, isDamaged } of listHistories(stateFolder))
    try {
      for (const [name, count] of await openForgettingRepository(folder, searchPath).find(redactor))
        found.places.push({ store: 'history', name, count });
    } catch (cause) {
      // A damaged repository can be searched only in part.
      if (!isDamaged)
        throw new ForgetError('unsupported', 'history cannot be read, so nothing can be removed from it', {
          hint: 'install git, or run: keepsake doctor',
          cause,
        });
      found.unreachable.push({ kind: 'repository', name: folder });
    }
  return found;
}
