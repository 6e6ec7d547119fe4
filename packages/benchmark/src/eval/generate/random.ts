/** A stream of choices that depends only on its seed. */
export type Random = {
  /** An integer, both bounds included. */
  between: (low: number, high: number) => number;
  chance: (share: number) => boolean;
  pick: <Item>(items: readonly Item[]) => Item;
  shuffled: <Item>(items: readonly Item[]) => Item[];
};

/** The same seed makes the same choices, on every machine and in every version of Node.js. */
export function createRandom(seed: string): Random {
  let state = fnv1a(seed);
  // mulberry32: small, and good enough for choosing sentences.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const pick: Random['pick'] = (items) => {
    const item = items[between(0, items.length - 1)];
    if (item === undefined) throw new Error('cannot choose from an empty list');
    return item;
  };
  const shuffled: Random['shuffled'] = (items) =>
    items
      .map((item) => ({ item, place: next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ item }) => item);
  return { between, pick, shuffled, chance: (share) => next() < share };
}

/** FNV-1a. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
