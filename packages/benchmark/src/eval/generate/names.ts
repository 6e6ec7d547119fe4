import type { Random } from './random.ts';

export type Names = {
  /** A given name and a family name; neither is ever used twice. */
  person: () => string;
  /** One word for a street, a village or a company. */
  place: () => string;
};

const onsets = 'b br d dr f g gr k kl l m n p pr r s st t tr v z'.split(' ');
const vowels = ['a', 'e', 'i', 'o', 'u'];
const middles = 'l lv m nd n r rm rv s lm v rn mb'.split(' ');
const endings = 'ek an or it em ul ov is ar un el ok ib'.split(' ');

/** Invents names from syllables, so that no model can know them in advance. */
export function createNames(random: Random): Names {
  const usedNames: string[] = [];
  const name = (): string => {
    const word = `${random.pick(onsets)}${random.pick(vowels)}${random.pick(middles)}${random.pick(endings)}`;
    // Names have at least five letters and differ in the first four, so that none is mistaken for another.
    const isTaken = word.length < 5 || usedNames.some((each) => each.slice(0, 4) === word.slice(0, 4));
    if (isTaken) return name();
    usedNames.push(word);
    return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
  };
  return { person: () => `${name()} ${name()}`, place: name };
}
