import { resolveRoot } from '../vault/index.ts';
import { resolveVault } from './configuration.ts';
import type { Environment } from './environment.ts';
import { getStateFolder } from './state-folder.ts';

/** Resolves the state folder of a vault without opening it. */
export function resolveStateFolder(options: {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
}): string {
  const root = resolveRoot(resolveVault(options.vault, options.environment));
  return getStateFolder(root, options.state, options.environment);
}
