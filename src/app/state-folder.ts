import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openRoot, readIdentity, renewIdentity } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { chooseVault } from './environment.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

/**
 * Where Keepsake's own data about a vault lies: outside of it. A folder that was never initialised has no id, so its
 * path stands for it; a copy of a vault has the id of the original, so until it gets its own, its path is added.
 */
export function stateFolderOf(root: VaultRoot, named: string | undefined, environment: Environment): string {
  if (named !== undefined) return outside(root, resolve(named));
  return outside(root, ownStateFolder(root, environment));
}

/** Where the state of a vault lies, without opening it. */
export function stateFolderFor(options: {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
}): string {
  const root = openRoot(chooseVault(options.vault, options.environment));
  return stateFolderOf(root, options.state, options.environment);
}

/** A sync service would damage databases that lie in the vault. */
function outside(root: VaultRoot, folder: string): string {
  if (!`${folder}/`.startsWith(`${root}/`)) return folder;
  throw new AppError('bad-state', `the state folder ${folder} lies inside the vault`, {
    mend: 'name one elsewhere with --state, or unset XDG_STATE_HOME',
  });
}

function ownStateFolder(root: VaultRoot, environment: Environment): string {
  const id = readIdentity(root)?.id;
  const byPath = createHash('sha256').update(root).digest('hex').slice(0, 16);
  if (id === undefined) return join(environment.stateHome, `path-${byPath}`);
  const folder = join(environment.stateHome, id);
  return isCopy(root, id, folder) ? join(environment.stateHome, `${id}-copy-${byPath}`) : folder;
}

/** Makes a vault's state its own before anything is written: a copy gets a new id, a moved vault keeps its state. */
export function claimState(root: VaultRoot, named: string | undefined, environment: Environment): string {
  const id = readIdentity(root)?.id;
  if (named === undefined && id !== undefined && isCopy(root, id, join(environment.stateHome, id)))
    renewIdentity(root);
  const folder = stateFolderOf(root, named, environment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (recordedPath(folder) !== root) writeFileSync(join(folder, recordName), `${root}\n`);
  return folder;
}

const recordName = 'vault-path';

/** Whether the state belongs to a vault elsewhere that is still there and says it is the same. */
function isCopy(root: VaultRoot, id: string, folder: string): boolean {
  const recorded = recordedPath(folder);
  if (recorded === null || recorded === root || !existsSync(recorded) || realpathSync(recorded) === root)
    return false;
  return readIdentity(openRoot(recorded))?.id === id;
}

function recordedPath(folder: string): string | null {
  const file = join(folder, recordName);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : null;
}
