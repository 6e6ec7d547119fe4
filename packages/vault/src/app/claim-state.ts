import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity, renewIdentity } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import {
  copyStateFolder,
  isSameFolder,
  originalOf,
  outside,
  recordedPath,
  recordName,
  stateFolderOf,
} from './state-folder.ts';

/**
 * Makes a vault's state its own before anything is written: a moved vault keeps its state, a copy gets a new id unless it has joined
 * the vault through a sync (`isJoining` when it does so now).
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
      ? claimOwn(root, id, environment, isJoining)
      : stateFolderOf(root, named, environment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const recorded = recordedPath(folder);
  if (recorded === null || !isSameFolder(recorded, root))
    writeFileSync(join(folder, recordName), `${root}\n`);
  return folder;
}

function claimOwn(root: VaultRoot, id: string, environment: Environment, isJoining: boolean): string {
  const folder = outside(root, join(environment.stateHome, id));
  const original = originalOf(root, id, folder);
  const copy = original === null ? null : outside(root, copyStateFolder(root, id, environment));
  if (copy !== null && (isJoining || recordedPath(copy) !== null)) return copy;
  // Some file systems give one folder two numbers: a vault that sees the new id, too, is no other.
  if (original === null || !renewIdentity(root, original)) return folder;
  return stateFolderOf(root, undefined, environment);
}
