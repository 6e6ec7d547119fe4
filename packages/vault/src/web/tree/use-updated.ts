import { useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useVaultTime } from '../text/use-vault-time.ts';
import type { TreeNode } from './build-tree.ts';

/** When a file was last changed: as it says itself, or later, as where its owner keeps the frontmatter. Null where nobody knows. */
export function useUpdated(): (node: TreeNode) => number | null {
  const { data: recent } = useQuery(useServices().queries.history.recent);
  const instantOf = useVaultTime();
  return ({ path, updated }) => {
    const times = [recent?.get(path) ?? null, updated === null ? null : instantOf(updated)];
    const known = times.filter((time) => time !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
}
