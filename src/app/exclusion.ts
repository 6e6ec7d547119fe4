import { parseScopes } from '../search/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { readConfiguration } from './environment.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

/** What is kept from agents and every other model; null when nothing is. Upper and lower case count as one, as they do for some file systems. */
export function readExclusion(environment: Environment): ((path: VaultPath) => boolean) | null {
  const patterns = readConfiguration(environment).agents?.exclude ?? [];
  if (patterns.length === 0) return null;
  // It names every file.
  const parsed = parseScopes([...patterns.map((pattern) => pattern.toLowerCase()), 'tree.md']);
  if (!parsed.ok)
    throw new AppError('bad-configuration', `agents.exclude: ${parsed.pattern}: ${parsed.reason}`);
  return (path) => parsed.scope?.(path.toLowerCase() as VaultPath) ?? false;
}
