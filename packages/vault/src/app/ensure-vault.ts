import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRemoteIdentity } from '../sync/index.ts';
import { filePathsBelow, joinVault, readIdentity } from '../vault/index.ts';
import type { Catalogue, VaultIdentity, VaultRoot } from '../vault/index.ts';
import { AppError } from './error.ts';
import type { LocalRepository } from './local-repository.ts';
import type { State } from './state.ts';

type Parts = {
  root: VaultRoot;
  state: Pick<State, 'adopt'>;
  catalogue: Pick<Catalogue, 'contents'>;
  repository: LocalRepository;
};

/**
 * The identity of the vault that is synced with `address`, or with the remembered remote when that is null. A folder that is
 * no vault becomes one, for which an address is needed.
 */
export async function ensureVault(
  parts: Parts,
  address: string | null,
): Promise<{ identity: VaultIdentity; isJoining: boolean }> {
  const { root, state } = parts;
  const isJoining = readIdentity(root) === null;
  if (isJoining) {
    if (address === null) throw noVault(root);
    await joinVaultAt(parts, address);
  }
  state.adopt();
  const identity = readIdentity(root);
  if (identity === null) throw noVault(root);
  return { identity, isJoining };
}

/** Joins the vault that the remote carries, for which the folder has to be empty; makes a new vault when it carries none. */
async function joinVaultAt({ root, state, catalogue, repository }: Parts, address: string): Promise<void> {
  const before = repository.folder();
  mkdirSync(dirname(before), { recursive: true, mode: 0o700 });
  const opened = await repository.open();
  await opened.setAddress(address);
  const newest = await opened.receive();
  if (newest !== null) {
    const identity = await readRemoteIdentity(opened, await opened.tree(newest));
    const isEmpty = filePathsBelow(await catalogue.contents()).next().done === true;
    if (!isEmpty)
      throw new AppError(
        'bad-target',
        `${root} holds files and is no vault yet, and the remote carries one`,
        {
          mend: 'sync an empty folder with it, and put the files there afterwards; or name an empty repository',
        },
      );
    joinVault(root, identity);
  }
  state.adopt({ isJoining: true });
  const after = repository.folder();
  if (after === before) return;
  // An earlier copy of the vault on this machine may have left its repository, with the same commits.
  if (existsSync(after)) rmSync(before, { recursive: true });
  else renameSync(before, after);
}

function noVault(root: VaultRoot): AppError {
  return new AppError('bad-state', `${root} is no vault, or is one no longer; nothing was synced`, {
    mend: 'if its disk is not mounted, mount it; to bring the vault into this folder, name the repository: keepsake sync <remote>',
  });
}
