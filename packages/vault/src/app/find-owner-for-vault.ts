import { resolveRoot } from '../vault/index.ts';
import { findNearestVault } from './environment.ts';
import type { Environment } from './environment.ts';
import { findOwnerProcess, tryBecomeCandidate } from './owner.ts';
import type { OwnerProcess } from './owner.ts';
import { getStateFolder } from './state-folder.ts';

type VaultSelection = { vault?: string | undefined; state?: string | undefined; environment: Environment };

/**
 * Finds the process that serves the selected vault, without opening the vault. Also null when the lookup fails: opening the vault
 * reports the reason.
 */
export async function findOwnerForVault(options: VaultSelection): Promise<OwnerProcess | null> {
  return (await createOwnerLookup(options))?.find() ?? null;
}

/** Returns functions that find the serving process of the selected vault, or claim its role; null when the vault is not found. */
export async function createOwnerLookup(
  options: VaultSelection,
): Promise<{ find(): OwnerProcess | null; isNext(): boolean } | null> {
  const { environment } = options;
  try {
    const vault = options.vault ?? environment.vault ?? findNearestVault(environment.cwd());
    const folder = vault ?? (await import('./configuration-text.ts')).tryReadConfiguredVault(environment);
    if (folder === undefined) return null;
    const state = getStateFolder(resolveRoot(environment.resolve(folder)), options.state, environment);
    return {
      find: () => findOwnerProcess(state, Date.now),
      isNext: () => tryBecomeCandidate(state, Date.now),
    };
  } catch {
    return null;
  }
}
