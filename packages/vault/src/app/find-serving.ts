import { openRoot } from '../vault/index.ts';
import { nearestVault } from './environment.ts';
import type { Environment } from './environment.ts';
import { findOwner, isNextOwner } from './owner.ts';
import type { Owner } from './owner.ts';
import { stateFolderOf } from './state-folder.ts';

type Meant = { vault?: string | undefined; state?: string | undefined; environment: Environment };

/**
 * Who serves the vault that is meant, found with as little as can be, for what only wants to ask there. Null as well when that
 * cannot be told: who then opens the vault finds out what is wrong.
 */
export async function findServing(options: Meant): Promise<Owner | null> {
  return (await lookForServing(options))?.find() ?? null;
}

/** Who serves the vault that is meant, and whether this process is to; null when it cannot be told. */
export async function lookForServing(
  options: Meant,
): Promise<{ find(): Owner | null; isNext(): boolean } | null> {
  const { environment } = options;
  try {
    const vault = options.vault ?? environment.vault ?? nearestVault(environment.cwd());
    const folder = vault ?? (await import('./configuration-text.ts')).namedInConfiguration(environment);
    if (folder === undefined) return null;
    const state = stateFolderOf(openRoot(environment.resolve(folder)), options.state, environment);
    return { find: () => findOwner(state, Date.now), isNext: () => isNextOwner(state, Date.now) };
  } catch {
    return null;
  }
}
