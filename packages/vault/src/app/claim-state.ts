import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity, regenerateIdentity } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import {
  copyStateFolder,
  formerPathsFileName,
  isSameFolder,
  findOriginalVault,
  assertOutsideVault,
  readRecordedVaultPath,
  vaultPathFileName,
  getStateFolder,
} from './state-folder.ts';

/**
 * Assigns a state folder to a vault before anything is written. A moved vault keeps its state; a copy gets a new id
 * unless it has joined the vault through a sync, or is joining it now (`isJoining`).
 */
export function claimState(
  root: VaultRoot,
  named: string | undefined,
  environment: Environment,
  isJoining = false,
): string {
  const id = readIdentity(root)?.id;
  const folder =
    named === undefined && id !== undefined
      ? claimStateById(root, id, environment, isJoining)
      : getStateFolder(root, named, environment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const recorded = readRecordedVaultPath(folder);
  if (recorded === null || !isSameFolder(recorded, root)) {
    if (recorded !== null) rememberPath(folder, recorded);
    writeFileSync(join(folder, vaultPathFileName), `${root}\n`);
  }
  return folder;
}

const maxFormerPaths = 20;

/** Tools that still name an earlier path are then told where the vault is. */
function rememberPath(folder: string, path: string): void {
  const file = join(folder, formerPathsFileName);
  const earlier = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const paths = [path, ...earlier.filter((each) => each !== path)].slice(0, maxFormerPaths);
  writeFileSync(file, `${paths.join('\n')}\n`);
}

function claimStateById(root: VaultRoot, id: string, environment: Environment, isJoining: boolean): string {
  const folder = assertOutsideVault(root, join(environment.stateHome, id));
  const original = findOriginalVault(root, id, folder);
  const copy = original === null ? null : assertOutsideVault(root, copyStateFolder(root, id, environment));
  if (copy !== null && (isJoining || readRecordedVaultPath(copy) !== null)) return copy;
  // Some file systems report two inodes for one folder: if the new id shows up at both paths, they are the same vault.
  if (original === null || !regenerateIdentity(root, original)) return folder;
  return getStateFolder(root, undefined, environment);
}
