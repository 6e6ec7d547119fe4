import type { LineScore, Scored } from './score-chunks.ts';

/** Small enough that the top ranks differ, large enough that the first rank alone does not decide. */
const rrfK = 60;

/**
 * Merges several rankings into one without duplicates. Half of an item's score is its best score in any list, the
 * other half its reciprocal rank fusion over all lists.
 */
export function fuseRankings<Item extends { id: number | string }>(
  lists: readonly (readonly Scored<Item>[])[],
): Scored<Item>[] {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return [...only];
  const fused = new Map<Item['id'], Scored<Item> & { ranks: number }>();
  for (const list of lists) {
    for (const [rank, { item, score, lineScores }] of list.entries()) {
      const known = fused.get(item.id);
      fused.set(item.id, {
        item,
        score: Math.max(score, known?.score ?? 0),
        lineScores: lineScores.map((each, line) => maxLineScore(each, known?.lineScores[line])),
        ranks: (known?.ranks ?? 0) + 1 / (rrfK + rank),
      });
    }
  }
  const maxRankSum = lists.length / rrfK;
  return [...fused.values()]
    .map(({ item, score, lineScores, ranks }) => ({
      item,
      lineScores,
      score: (score + ranks / maxRankSum) / 2,
    }))
    .toSorted((a, b) => b.score - a.score);
}

/** The maximum of each component of two line scores. */
export function maxLineScore(one: LineScore, other: LineScore | undefined): LineScore {
  if (other === undefined) return one;
  return {
    direct: Math.max(one.direct, other.direct),
    withNeighbors: Math.max(one.withNeighbors, other.withNeighbors),
  };
}
