import { useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useVaultTime } from '../text/use-vault-time.ts';
import type { TreeNode } from './build-tree.ts';

/**
 * The later of the `updated` stamp and the last change in the history, because stamps may be disabled. Null if both are
 * unknown.
 */
export function useModifiedTime(): (node: TreeNode) => number | null {
  const { data: recent } = useQuery(useServices().queries.history.recent);
  const instantOf = useVaultTime();
  return ({ path, updated }) => {
    const times = [recent?.get(path) ?? null, updated === null ? null : instantOf(updated)];
    const known = times.filter((time) => time !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
}
