import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRemoteIdentity } from '../sync/index.ts';
import { walkFilePaths, joinVault, readIdentity } from '../vault/index.ts';
import type { Catalogue, VaultIdentity, VaultRoot } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import type { LocalRepository } from './local-repository.ts';
import { assertNotGone } from './open-vault-root.ts';
import type { State } from './state.ts';

type Dependencies = {
  root: VaultRoot;
  state: Pick<State, 'ensureAdopted'>;
  catalogue: Pick<Catalogue, 'contents'>;
  repository: LocalRepository;
};

/**
 * Returns the identity of the vault that is synced with `address`, or with the stored remote if `address` is null.
 * Turns a folder that is not yet a vault into one, which requires an address.
 */
export async function ensureVault(
  parts: Dependencies,
  address: string | null,
): Promise<{ identity: VaultIdentity; isJoining: boolean }> {
  const { root, state } = parts;
  const isJoining = readIdentity(root) === null;
  if (isJoining) {
    if (address === null) throw noVault(root);
    await joinVaultAt(parts, address);
  }
  state.ensureAdopted();
  const identity = readIdentity(root);
  if (identity === null) throw noVault(root);
  return { identity, isJoining };
}

/**
 * Creates a missing folder that is to receive the vault of a repository, unless a vault was there that is gone. The result removes
 * the folder if it is still empty.
 */
export function createJoinFolder(folder: string, environment: Environment, goneHint: string): () => void {
  if (existsSync(folder)) return () => undefined;
  assertNotGone(folder, environment, { hint: goneHint });
  mkdirSync(folder, { recursive: true });
  return () => {
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  };
}

/** Joins the vault in the remote repository, which requires an empty folder; creates a new vault when the remote has none. */
async function joinVaultAt(
  { root, state, catalogue, repository }: Dependencies,
  address: string,
): Promise<void> {
  const before = repository.folder();
  mkdirSync(dirname(before), { recursive: true, mode: 0o700 });
  const opened = await repository.open();
  await opened.setRemoteUrl(address);
  const newest = await opened.fetchRemote();
  if (newest !== null) {
    const identity = await readRemoteIdentity(opened, await opened.tree(newest));
    const isEmpty = walkFilePaths(await catalogue.contents()).next().done === true;
    if (!isEmpty)
      throw new AppError(
        'bad-target',
        `${root} contains files but is not a vault, and the remote already has a vault`,
        {
          hint: 'sync into an empty folder and add the files later, or use an empty repository',
        },
      );
    joinVault(root, identity);
  }
  state.ensureAdopted({ isJoining: true });
  const after = repository.folder();
  if (after === before) return;
  // An earlier copy of the vault on this machine may have left its repository, with the same commits.
  if (existsSync(after)) rmSync(before, { recursive: true });
  // Another process that opened the new vault may have deleted it; it is then recreated.
  else if (existsSync(before)) renameSync(before, after);
}

function noVault(root: VaultRoot): AppError {
  return new AppError('bad-state', `${root} is not a vault, or no longer one; nothing was synced`, {
    hint: 'if its disk is not mounted, mount it; to get a vault into this folder, pass its repository: keepsake sync <remote>',
  });
}
