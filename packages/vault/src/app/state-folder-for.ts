import { openRoot } from '../vault/index.ts';
import { chooseVault } from './configuration.ts';
import type { Environment } from './environment.ts';
import { stateFolderOf } from './state-folder.ts';

/** Where the state of a vault lies, without opening it. */
export function stateFolderFor(options: {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
}): string {
  const root = openRoot(chooseVault(options.vault, options.environment));
  return stateFolderOf(root, options.state, options.environment);
}
