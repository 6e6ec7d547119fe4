import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openRoot, readIdentity } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

/**
 * Where Keepsake's own data about a vault lies: outside of it. A folder that was never initialised has no id, so its
 * path stands for it; a copy of a vault has the id of the original, so until it gets its own, its path is added. What is
 * kept under a path can be made anew.
 */
export function stateFolderOf(root: VaultRoot, named: string | undefined, environment: Environment): string {
  if (named !== undefined) return outside(root, environment.resolve(named));
  return outside(root, ownStateFolder(root, environment));
}

/** A sync service would damage databases that lie in the vault. */
export function outside(root: VaultRoot, folder: string): string {
  if (!liesIn(folder, root)) return folder;
  throw new AppError('bad-state', `the state folder ${folder} lies inside the vault`, {
    mend: 'name one elsewhere with --state, or unset XDG_STATE_HOME',
  });
}

function ownStateFolder(root: VaultRoot, environment: Environment): string {
  const id = readIdentity(root)?.id;
  if (id === undefined) return join(environment.stateHome, `path-${hashOf(root)}`);
  const folder = join(environment.stateHome, id);
  return originalOf(root, id, folder) === null ? folder : copyStateFolder(root, id, environment);
}

/**
 * Where the state of a further copy of a vault is. A copy that has joined through a sync has one that records its path, also after
 * the copy was moved; for any other copy nothing is recorded.
 */
export function copyStateFolder(root: VaultRoot, id: string, { stateHome }: Environment): string {
  const prefix = `${id}-copy-`;
  const own = join(stateHome, prefix + hashOf(root));
  if (recordedPath(own) !== null || !existsSync(stateHome)) return own;
  const others = readdirSync(stateHome).filter((name) => name.startsWith(prefix));
  const isFree = (folder: string): boolean => {
    const recorded = recordedPath(folder);
    return recorded !== null && (isSameFolder(recorded, root) || idAt(recorded) !== id);
  };
  return others.map((name) => join(stateHome, name)).find(isFree) ?? own;
}

function hashOf(root: VaultRoot): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 16);
}

export const recordName = 'vault-path';

/** The vault elsewhere that this one is a copy of: the state belongs to it, it is still there, and says it is the same. */
export function originalOf(root: VaultRoot, id: string, folder: string): string | null {
  const recorded = recordedPath(folder);
  if (recorded === null || isSameFolder(recorded, root) || idAt(recorded) !== id) return null;
  return recorded;
}

/** Null for whatever is there now and is no vault that could be read. */
function idAt(path: string): string | null {
  try {
    return readIdentity(openRoot(path))?.id ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether two paths lead to one folder: through links, another mount, or another case of letters. Both are looked at now; the
 * numbers are not kept, since a restored folder, a mount or a restart of the machine may change them.
 */
export function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  const number = numberAt(one);
  return number !== null && number === numberAt(other);
}

/** By which number the system knows what is at a path; null for nothing, and where it has no numbers. */
export function numberAt(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return ino === 0n ? null : `${dev} ${ino}`;
  } catch {
    return null;
  }
}

/** Whether a folder, which may not be there yet, is another one or below it, by whatever path. */
export function liesIn(folder: string, other: string): boolean {
  return foldersAround(folder).some((around) => isSameFolder(around, other));
}

/** The folder and all above it, by their real paths, from the first that is there. */
function foldersAround(folder: string): string[] {
  if (!existsSync(folder)) return dirname(folder) === folder ? [] : foldersAround(dirname(folder));
  const above: string[] = [];
  for (let at = realpathSync(folder); above.at(-1) !== at; at = dirname(at)) above.push(at);
  return above;
}

/** Null, too, where it cannot be read: a disk that fails is no reason not to read a note. */
export function recordedPath(folder: string): string | null {
  try {
    return readFileSync(join(folder, recordName), 'utf8').trimEnd();
  } catch {
    return null;
  }
}
