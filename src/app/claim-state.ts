import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity, renewIdentity } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import {
  isSameFolder,
  originalOf,
  outside,
  recordedPath,
  recordName,
  stateFolderOf,
} from './state-folder.ts';

/** Makes a vault's state its own before anything is written: a copy gets a new id, a moved vault keeps its state. */
export function claimState(root: VaultRoot, named: string | undefined, environment: Environment): string {
  const id = readIdentity(root)?.id;
  const folder =
    named === undefined && id !== undefined
      ? claimOwn(root, id, environment)
      : stateFolderOf(root, named, environment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const recorded = recordedPath(folder);
  if (recorded === null || !isSameFolder(recorded, root))
    writeFileSync(join(folder, recordName), `${root}\n`);
  return folder;
}

function claimOwn(root: VaultRoot, id: string, environment: Environment): string {
  const folder = outside(root, join(environment.stateHome, id));
  const original = originalOf(root, id, folder);
  // Some file systems give one folder two numbers: a vault that sees the new id, too, is no other.
  if (original === null || !renewIdentity(root, original)) return folder;
  return stateFolderOf(root, undefined, environment);
}
