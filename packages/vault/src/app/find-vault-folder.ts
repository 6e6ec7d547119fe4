import { findNearestVault } from './environment.ts';
import type { Environment } from './environment.ts';

/**
 * The folder that `resolveVault` selects, read without validating the configuration and without loading its parser unless it is
 * needed; undefined if there is none.
 */
export async function findVaultFolder(
  named: string | undefined,
  environment: Environment,
): Promise<string | undefined> {
  const vault = named ?? environment.vault ?? findNearestVault(environment.cwd());
  const folder = vault ?? (await import('./configuration-text.ts')).tryReadConfiguredVault(environment);
  return folder === undefined ? undefined : environment.resolve(folder);
}
