import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatPath, identityFile, rootPath, toRelativePath, walkFolders } from '../vault/index.ts';
import type { HealthCheck } from './check.ts';
import { findNearestVault } from './environment.ts';
import type { Keepsake } from './keepsake.ts';

const maxListedVaults = 5;

/** Names vaults inside this one, and the one that it is inside of. No check without such a vault. */
export async function checkNesting({
  root,
  contents,
}: Pick<Keepsake, 'root' | 'contents'>): Promise<HealthCheck[]> {
  const inner = [...walkFolders(await contents())]
    .map(({ path }) => path)
    .filter((path) => path !== rootPath && existsSync(join(root, toRelativePath(path), identityFile)));
  const outer = findNearestVault(dirname(root));
  const problems = [
    ...inner.slice(0, maxListedVaults).map((path) => `${formatPath(path)} is a vault of its own`),
    ...(inner.length > maxListedVaults ? [`and ${inner.length - maxListedVaults} more`] : []),
    ...(outer === undefined ? [] : [`this vault is inside the vault ${outer}`]),
  ];
  if (problems.length === 0) return [];
  return [
    {
      name: 'nested vaults',
      status: 'warning',
      message: problems.join('\n'),
      hint: 'both vaults index, sync and change the notes of the inner one: move it out, or delete its folder .keepsake to keep only the outer vault',
    },
  ];
}
