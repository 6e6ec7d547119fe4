import { existsSync, rmSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { HealthCheck } from './check.ts';
import { databaseFile, databaseNamesToRebuild, discardDatabase, hasDatabase } from './database-files.ts';
import type { Environment } from './environment.ts';
import { readFormerPaths } from './known-vaults.ts';
import { pathStateFolder } from './state-folder.ts';
import type { State } from './state.ts';

/**
 * The state folders named after a path that the vault used before it had an id, for example before it was filled by a
 * sync. Nothing reads them any more.
 */
function findLeftOvers(root: VaultRoot, stateFolder: string, { stateHome }: Environment): string[] {
  if (readIdentity(root) === null) return [];
  const paths = new Set([root, ...readFormerPaths(stateFolder)]);
  return [...paths]
    .map((path) => pathStateFolder(path, stateHome))
    .filter((folder) => folder !== stateFolder && existsSync(folder));
}

/** Deletes what can be rebuilt: it names files and quotes titles, which would outlive forgetting. `isInUse` is called only if there is any. */
export function removeLeftOvers(
  { root, state, environment }: { root: VaultRoot; state: Pick<State, 'folder'>; environment: Environment },
  isInUse: () => boolean = () => false,
): void {
  try {
    const leftOvers = findLeftOvers(root, state.folder(), environment).filter((each) => !isDurable(each));
    if (leftOvers.length === 0 || isInUse()) return;
    for (const folder of leftOvers) {
      for (const name of databaseNamesToRebuild) discardDatabase(databaseFile(folder, name));
      for (const name of ['sync.git', 'imports'])
        rmSync(join(folder, name), { recursive: true, force: true });
      rmdirSync(folder);
    }
  } catch {
    // On Windows, an open file cannot be deleted, and the folder may contain other files; the next process tries again.
  }
}

function isDurable(folder: string): boolean {
  return hasDatabase(folder, 'durable') || existsSync(join(folder, 'history.git'));
}

/** Names the left-over folders that cannot be rebuilt. No check without one. */
export function checkLeftOvers(
  root: VaultRoot,
  stateFolder: string,
  environment: Environment,
): HealthCheck[] {
  return findLeftOvers(root, stateFolder, environment)
    .filter(isDurable)
    .map((folder) => ({
      name: 'earlier state',
      status: 'warning',
      message: `${folder} has the history of this folder from before it was this vault; forgetting does not reach it`,
      hint: 'if you do not need it, delete it',
    }));
}
