/** Words are compared by their first letters, which inflection rarely changes; numbers are compared as a whole. */
const prefixLength = 5;
const minWordLength = 4;

/** The words that identify a text: numbers and longer words, ignoring case and accents; null if there are none. */
function distinctiveTerms(text: string): Set<string> | null {
  const found = termsOf(text, minWordLength);
  return found.size === 0 ? null : found;
}

function termsOf(text: string, minLength: number): Set<string> {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words.flatMap((word) => {
      if (/\p{N}/u.test(word)) return [word];
      return word.length >= minLength || !isLatin(word) ? [word.slice(0, prefixLength)] : [];
    }),
  );
}

function isLatin(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(word);
}

/** The share of a text's distinctive words that another text contains; of all its words if none are distinctive. */
export function wordOverlap(text: string, other: string): number {
  const distinctive = distinctiveTerms(text);
  const terms = distinctive ?? termsOf(text, 1);
  if (terms.size === 0) return 1;
  const otherTerms = termsOf(other, distinctive === null ? 1 : minWordLength);
  return [...terms].filter((word) => otherTerms.has(word)).length / terms.size;
}

/** Minimum share of the input's words that must occur in the filed text. */
const minOverlap = 0.2;

export function isCoveredBy(text: string, other: string): boolean {
  return wordOverlap(text, other) >= minOverlap;
}
