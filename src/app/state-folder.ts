import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readIdentity } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import type { Environment } from './environment.ts';

/**
 * Where Keepsake's own data about a vault lives: outside of it. A folder that was never initialised has no id,
 * so its path stands for it.
 */
export function stateFolderOf(root: VaultRoot, named: string | undefined, environment: Environment): string {
  if (named !== undefined) return named;
  const byPath = `path-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  return join(environment.stateHome, readIdentity(root)?.id ?? byPath);
}
