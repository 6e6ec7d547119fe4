/**
 * Whether a word of at least `minLength` characters looks generated: it has digits, or letters of both cases in an order that no name
 * has. In generated text the kind of character changes often; in `shouldReturn401` and `users-list-v2` it rarely does.
 */
export function isRandom(word: string, minLength = 16): boolean {
  if (word.length < minLength || /^(.)\1*$/.test(word.replaceAll(/^[A-Za-z]+[-_.]/g, ''))) return false;
  const { lower, upper, digit } = countKinds(word);
  if (lower + upper === 0) return false;
  if (digit === 0) return lower > 2 && upper > 2 && changeRate(word) >= minChangeRate.mixed;
  return changeRate(word) >= (lower > 0 && upper > 0 ? minChangeRate.mixed : minChangeRate.single);
}

/** Lower for letters of one case: there only digits and letters alternate. */
const minChangeRate = { mixed: 0.3, single: 0.15, highEntropy: 0.4 };

/** Whether a word is a random mix of upper and lower case letters and digits, which excludes hashes and names. */
export function hasHighEntropy(word: string): boolean {
  const { lower, upper, digit } = countKinds(word);
  if (Math.min(lower, upper, digit) < 3 || /^(?:0x)?[0-9a-f]+$/i.test(word)) return false;
  return changeRate(word) >= minChangeRate.highEntropy && shannonEntropy(word) >= 4.2;
}

export function hasLettersAndDigits(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}

export function hasDigitsAndBothCases(text: string): boolean {
  const { lower, upper, digit } = countKinds(text);
  return Math.min(lower, upper, digit) > 0;
}

function countKinds(word: string): { lower: number; upper: number; digit: number } {
  const count = (kind: RegExp): number => word.match(kind)?.length ?? 0;
  return { lower: count(/[a-z]/g), upper: count(/[A-Z]/g), digit: count(/\d/g) };
}

/** The share of neighbouring letters and digits that are of different kinds. */
function changeRate(word: string): number {
  const kinds = word
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .replaceAll(/[a-z]/g, 'a')
    .replaceAll(/[A-Z]/g, 'A')
    .replaceAll(/\d/g, '0');
  const changes = kinds.match(/(.)(?!\1|$)/g)?.length ?? 0;
  return changes / Math.max(1, kinds.length - 1);
}

/** Shannon entropy in bits per character. */
function shannonEntropy(word: string): number {
  const counts = new Map<string, number>();
  for (const sign of word) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, each) => sum - (each / word.length) * Math.log2(each / word.length),
    0,
  );
}
