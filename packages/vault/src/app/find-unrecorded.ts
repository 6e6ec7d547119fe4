import type { VaultPath } from '../vault/index.ts';
import type { Keepsake } from './keepsake.ts';

/** Those of the paths that history does not have yet. Takes no lock, for which a check must not wait. */
export async function findUnrecorded(
  { changes }: Pick<Keepsake, 'changes'>,
  paths: readonly VaultPath[],
): Promise<VaultPath[]> {
  if ((await changes.completeTip()) !== null) return [];
  const known = new Set(await changes.files());
  return paths.filter((path) => !known.has(path));
}
