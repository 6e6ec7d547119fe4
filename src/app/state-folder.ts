import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { adoptVault, openRoot, readIdentity, renewIdentity } from '../vault/index.ts';
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

export type StatePlace = {
  /** Where the state lies now. */
  stateFolder: () => string;
  /** The same, made the folder's own, be it a vault or not. */
  claimState: () => string;
  /** Makes the folder a vault if it was none, and its state its own: what comes before everything that is written. */
  adopt: () => string;
};

/** For as long as a vault is open. Once it is adopted its state stays where it is, and is not looked for again. */
export function createStatePlace(
  root: VaultRoot,
  named: string | undefined,
  environment: Environment,
): StatePlace {
  let adopted: string | null = null;
  const claim = (): string => claimState(root, named, environment);
  return {
    stateFolder: () => adopted ?? stateFolderOf(root, named, environment),
    claimState: () => adopted ?? claim(),
    adopt() {
      if (adopted === null) {
        adoptVault(root);
        adopted = claim();
      }
      return adopted;
    },
  };
}

/** Something that lies in the state folder and is opened when it is first needed. */
export type Followed<Opened> = {
  open(): Opened;
  /** Null while it is not open. */
  present(): Opened | null;
};

/** The first write gives a folder a state of its own: what was open before is closed then, and opened where that lies. */
export function followState<Opened>(
  stateFolder: () => string,
  open: (folder: string) => Opened,
  close: (opened: Opened) => void,
): Followed<Opened> {
  let held: { folder: string; opened: Opened } | null = null;
  return {
    open() {
      const folder = stateFolder();
      if (held !== null && held.folder !== folder) {
        close(held.opened);
        held = null;
      }
      return (held ??= { folder, opened: open(folder) }).opened;
    },
    present: () => held?.opened ?? null,
  };
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
  throw new AppError(
    'bad-state',
    `the state folder ${folder} lies inside the vault; name one elsewhere with --state, or unset XDG_STATE_HOME`,
  );
}

function ownStateFolder(root: VaultRoot, environment: Environment): string {
  const id = readIdentity(root)?.id;
  const byPath = createHash('sha256').update(root).digest('hex').slice(0, 16);
  if (id === undefined) return join(environment.stateHome, `path-${byPath}`);
  const folder = join(environment.stateHome, id);
  return isCopy(root, id, folder) ? join(environment.stateHome, `${id}-copy-${byPath}`) : folder;
}

/** Makes a vault's state its own before anything is written: a copy gets a new id, a moved vault keeps its state. */
function claimState(root: VaultRoot, named: string | undefined, environment: Environment): string {
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
