import type { Random } from './random.ts';

export type Names = {
  /** Given name and family name; no part of either is ever given twice. */
  person: () => string;
  /** One word, for a street, a village or a firm. */
  place: () => string;
};

const onsets = 'b br d dr f g gr k kl l m n p pr r s st t tr v z'.split(' ');
const vowels = ['a', 'e', 'i', 'o', 'u'];
const middles = 'l lv m nd n r rm rv s lm v rn mb'.split(' ');
const endings = 'ek an or it em ul ov is ar un el ok ib'.split(' ');

/** Names that belong to nobody: made of syllables, so that they cannot be known beforehand. */
export function createNames(random: Random): Names {
  const taken: string[] = [];
  const name = (): string => {
    const made = `${random.pick(onsets)}${random.pick(vowels)}${random.pick(middles)}${random.pick(endings)}`;
    // A name that is part of another could be found where it does not stand.
    const isTaken = made.length < 5 || taken.some((each) => each.slice(0, 4) === made.slice(0, 4));
    if (isTaken) return name();
    taken.push(made);
    return `${made.slice(0, 1).toUpperCase()}${made.slice(1)}`;
  };
  return { person: () => `${name()} ${name()}`, place: name };
}
