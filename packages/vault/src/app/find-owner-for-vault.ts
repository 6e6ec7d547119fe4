import { resolveRoot } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import { findVaultFolder } from './find-vault-folder.ts';
import { findOwnerProcess, tryBecomeCandidate } from './owner.ts';
import type { OwnerProcess } from './owner.ts';
import { getStateFolder } from './state-folder.ts';

type VaultSelection = { vault?: string | undefined; state?: string | undefined; environment: Environment };

/**
 * Finds the process that serves the selected vault, without opening the vault. Also returns null if the lookup fails;
 * the reason is reported when the vault is opened.
 */
export async function findOwnerForVault(options: VaultSelection): Promise<OwnerProcess | null> {
  return (await createOwnerLookup(options))?.find() ?? null;
}

/**
 * `find` returns the process that serves the selected vault; `isNext` returns whether this process should start to
 * serve it if there is none. Null if the vault is not found.
 */
export async function createOwnerLookup(
  options: VaultSelection,
): Promise<{ find(): OwnerProcess | null; isNext(): boolean } | null> {
  const { environment } = options;
  try {
    const folder = await findVaultFolder(options.vault, environment);
    if (folder === undefined) return null;
    const state = getStateFolder(resolveRoot(folder), options.state, environment);
    return {
      find: () => findOwnerProcess(state, Date.now),
      isNext: () => tryBecomeCandidate(state, Date.now),
    };
  } catch {
    return null;
  }
}
