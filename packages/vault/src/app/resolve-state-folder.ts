import type { Environment } from './environment.ts';
import { openVaultRoot } from './open-vault-root.ts';
import { getStateFolder } from './state-folder.ts';

/** Resolves the state folder of a vault without opening it. */
export function resolveStateFolder(options: {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
}): string {
  const root = openVaultRoot(options);
  return getStateFolder(root, options.state, options.environment);
}
