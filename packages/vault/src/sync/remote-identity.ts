import { childPath, parseIdentity, rootPath } from '../vault/index.ts';
import type { VaultIdentity } from '../vault/index.ts';
import { SyncError } from './error.ts';
import type { SyncRepository } from './repository.ts';
import type { Tree } from './sync-objects.ts';
import { identityName } from './travelling.ts';

/** Where the identity lies in a commit; no file of a vault has such a path. */
export const identityPath = childPath(rootPath, identityName);

const largestIdentity = 64_000;

/** Of which vault a commit is. */
export async function readRemoteIdentity(
  repository: Pick<SyncRepository, 'sizes' | 'contents'>,
  tree: Tree,
): Promise<VaultIdentity> {
  const entry = tree.get(identityName);
  const isFile = entry?.mode.startsWith('100') === true;
  const [size = 0] = isFile ? await repository.sizes([entry.id]) : [];
  if (!isFile || size > largestIdentity) throw noVault();
  const bytes = (await repository.contents([entry.id])).get(entry.id);
  try {
    return parseIdentity(bytes?.toString() ?? '');
  } catch (cause) {
    throw noVault(cause);
  }
}

/** Throws unless a commit is of this vault. */
export async function checkIdentity(repository: SyncRepository, tree: Tree, id: string): Promise<void> {
  const found = await readRemoteIdentity(repository, tree);
  if (found.id === id) return;
  throw new SyncError('other-vault', 'the remote carries another vault than this one; nothing was changed', {
    mend: 'to have that vault on this machine, sync an empty folder with it; for this one, name an empty repository',
  });
}

function noVault(cause?: unknown): SyncError {
  return new SyncError('other-vault', 'the remote holds something else than a vault; nothing was changed', {
    mend: 'name an empty repository: git init --bare <folder>',
    cause,
  });
}
