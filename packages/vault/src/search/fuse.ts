import type { LineScore, Ranked } from './rank.ts';

/** Small enough that the first ranks differ, large enough that the first one alone does not decide. */
const rankConstant = 60;

/**
 * One list from several, each item once. Half of its score is the best it had anywhere, half how high it stands in all
 * lists together (reciprocal rank fusion).
 */
export function fuse<Item extends { id: number | string }>(
  lists: readonly (readonly Ranked<Item>[])[],
): Ranked<Item>[] {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return [...only];
  const fused = new Map<Item['id'], Ranked<Item> & { ranks: number }>();
  for (const list of lists) {
    for (const [rank, { item, score, lineScores }] of list.entries()) {
      const known = fused.get(item.id);
      fused.set(item.id, {
        item,
        score: Math.max(score, known?.score ?? 0),
        lineScores: lineScores.map((each, line) => higher(each, known?.lineScores[line])),
        ranks: (known?.ranks ?? 0) + 1 / (rankConstant + rank),
      });
    }
  }
  const highest = lists.length / rankConstant;
  return [...fused.values()]
    .map(({ item, score, lineScores, ranks }) => ({ item, lineScores, score: (score + ranks / highest) / 2 }))
    .toSorted((a, b) => b.score - a.score);
}

/** Of two scores of a line the higher, in each respect. */
export function higher(one: LineScore, other: LineScore | undefined): LineScore {
  if (other === undefined) return one;
  return { own: Math.max(one.own, other.own), near: Math.max(one.near, other.near) };
}
