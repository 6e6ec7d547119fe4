import { openRoot } from '../vault/index.ts';
import { nearestVault } from './environment.ts';
import type { Environment } from './environment.ts';
import { findOwner } from './owner.ts';
import type { Owner } from './owner.ts';
import { stateFolderOf } from './state-folder.ts';

/**
 * Who serves the vault that is meant, found with as little as can be, for what only wants to ask there. Null as well when that
 * cannot be told: who then opens the vault finds out what is wrong.
 */
export async function findServing(options: {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
}): Promise<Owner | null> {
  const { environment } = options;
  try {
    const vault = options.vault ?? environment.vault ?? nearestVault(process.cwd());
    const folder = vault ?? (await import('./configuration-text.ts')).namedInConfiguration(environment);
    return folder === undefined
      ? null
      : findOwner(stateFolderOf(openRoot(folder), options.state, environment), Date.now);
  } catch {
    return null;
  }
}
