import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveRoot, readIdentity } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

/**
 * The folder of Keepsake's own data about a vault, always outside the vault. It is named after the vault id, or after
 * the path if the folder was never initialized, or after both for a copy that still has the id of the original. Data
 * under a path-based name can be rebuilt.
 */
export function getStateFolder(root: VaultRoot, named: string | undefined, environment: Environment): string {
  if (named !== undefined) return assertOutsideVault(root, environment.resolve(named));
  return assertOutsideVault(root, ownStateFolder(root, environment));
}

/** Returns the folder, or throws if it is inside the vault, where a sync service could damage the databases. */
export function assertOutsideVault(root: VaultRoot, folder: string): string {
  if (!isInside(folder, root)) return folder;
  throw new AppError('bad-state', `the state folder ${folder} is inside the vault`, {
    hint: 'choose another with --state or unset XDG_STATE_HOME',
  });
}

function ownStateFolder(root: VaultRoot, environment: Environment): string {
  const id = readIdentity(root)?.id;
  if (id === undefined) return pathStateFolder(root, environment.stateHome);
  const folder = join(environment.stateHome, id);
  return findOriginalVault(root, id, folder) === null ? folder : copyStateFolder(root, id, environment);
}

/** The state folder of a folder without an id. */
export function pathStateFolder(root: string, stateHome: string): string {
  return join(stateHome, `path-${hashPath(root)}`);
}

/**
 * The state folder of an additional copy of a vault. A copy that joined through a sync records its path in its state
 * folder, so the folder is found again after the copy was moved. Other copies record no path.
 */
export function copyStateFolder(root: VaultRoot, id: string, { stateHome }: Environment): string {
  const prefix = `${id}-copy-`;
  const own = join(stateHome, prefix + hashPath(root));
  if (readRecordedVaultPath(own) !== null || !existsSync(stateHome)) return own;
  const others = readdirSync(stateHome).filter((name) => name.startsWith(prefix));
  const isFree = (folder: string): boolean => {
    const recorded = readRecordedVaultPath(folder);
    return recorded !== null && (isSameFolder(recorded, root) || readIdentityAt(recorded) !== id);
  };
  return others.map((name) => join(stateHome, name)).find(isFree) ?? own;
}

function hashPath(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 16);
}

export const vaultPathFileName = 'vault-path';
/** The paths that a vault had before, one per line, the latest first. */
export const formerPathsFileName = 'former-vault-paths';

/**
 * The path of the vault that this one is a copy of: the state folder records it, and it still exists with the same id.
 * Null if there is none.
 */
export function findOriginalVault(root: VaultRoot, id: string, folder: string): string | null {
  const recorded = readRecordedVaultPath(folder);
  if (recorded === null || isSameFolder(recorded, root) || readIdentityAt(recorded) !== id) return null;
  return recorded;
}

/** Null when there is no readable vault at the path. */
function readIdentityAt(path: string): string | null {
  try {
    return readIdentity(resolveRoot(path))?.id ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether two paths lead to the same folder, even through links, mounts or different letter case. Inodes are read for
 * each comparison and never stored, because a restore, a mount or a reboot may change them.
 */
export function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  const number = readInode(one);
  return number !== null && number === readInode(other);
}

/** Device and inode of a path; null when it does not exist or the file system has no inodes. */
export function readInode(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return ino === 0n ? null : `${dev} ${ino}`;
  } catch {
    return null;
  }
}

/** Whether a folder, which may not exist yet, is `other` or inside it, even through links or mounts. */
export function isInside(folder: string, other: string): boolean {
  return listAncestors(folder).some((around) => isSameFolder(around, other));
}

/** The real paths of the folder, or of its nearest existing ancestor, and of all folders above. */
function listAncestors(folder: string): string[] {
  if (!existsSync(folder)) return dirname(folder) === folder ? [] : listAncestors(dirname(folder));
  const above: string[] = [];
  for (let at = realpathSync(folder); above.at(-1) !== at; at = dirname(at)) above.push(at);
  return above;
}

/** Null if there is none or it cannot be read: notes must stay readable when the disk of the state folder fails. */
export function readRecordedVaultPath(folder: string): string | null {
  try {
    return readFileSync(join(folder, vaultPathFileName), 'utf8').trimEnd();
  } catch {
    return null;
  }
}
