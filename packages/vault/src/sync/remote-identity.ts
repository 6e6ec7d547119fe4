import { childPath, parseIdentity, rootPath } from '../vault/index.ts';
import type { VaultIdentity } from '../vault/index.ts';
import { SyncError } from './sync-error.ts';
import type { SyncRepository } from './sync-repository.ts';
import type { GitTree } from './read-tree.ts';
import { identityGitPath } from './syncable-files.ts';

/** The path of the identity file in a commit; no file of a vault can have this path. */
export const identityPath = childPath(rootPath, identityGitPath);

const maxIdentityBytes = 64_000;

/** Reads the identity of the vault that a commit belongs to; throws if the commit is not of a vault. */
export async function readRemoteIdentity(
  repository: Pick<SyncRepository, 'sizes' | 'contents'>,
  tree: GitTree,
): Promise<VaultIdentity> {
  const entry = tree.get(identityGitPath);
  const isFile = entry?.mode.startsWith('100') === true;
  const [size = 0] = isFile ? await repository.sizes([entry.id]) : [];
  if (!isFile || size > maxIdentityBytes) throw createNotAVaultError();
  const bytes = (await repository.contents([entry.id])).get(entry.id);
  try {
    return parseIdentity(bytes?.toString() ?? '');
  } catch (cause) {
    throw createNotAVaultError(cause);
  }
}

/** Throws if the commit belongs to another vault. */
export async function assertSameVault(repository: SyncRepository, tree: GitTree, id: string): Promise<void> {
  const found = await readRemoteIdentity(repository, tree);
  if (found.id === id) return;
  throw new SyncError('other-vault', 'the remote contains a different vault; nothing was changed', {
    hint: 'to get that vault on this machine, sync an empty folder with it; to sync this vault, use an empty repository',
  });
}

function createNotAVaultError(cause?: unknown): SyncError {
  return new SyncError('other-vault', 'the remote does not contain a vault; nothing was changed', {
    hint: 'use an empty repository, created for example with: git init --bare -b main <folder>',
    cause,
  });
}
