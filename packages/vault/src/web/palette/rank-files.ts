import { normalizeText } from './normalize-text.ts';
import type { TreeNode } from '../tree/build-tree.ts';

/** The files whose path contains every term, ordered by matches in their name, then by length. */
export function rankFiles(files: readonly TreeNode[], query: string, limit: number): TreeNode[] {
  const words = normalizeText(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored: { node: TreeNode; score: number }[] = [];
  for (const node of files) {
    const path = normalizeText(node.path);
    if (!words.every((word) => path.includes(word))) continue;
    const name = normalizeText(node.name);
    const inName = words.filter((word) => name.includes(word)).length;
    const isStart = words.some((word) => name.startsWith(word));
    scored.push({ node, score: inName * 100 + Number(isStart) * 50 - path.length / 10 });
  }
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ node }) => node);
}
