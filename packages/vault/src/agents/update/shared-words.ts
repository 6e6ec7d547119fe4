/** Beginnings of words, which inflection leaves alone; numbers are whole. */
const stemLength = 5;
const shortest = 4;

/** What a text can be recognised by: its numbers and longer words, without regard to case and accents; null when it has none. */
function distinctiveWords(text: string): Set<string> | null {
  const found = wordsOf(text, shortest);
  return found.size === 0 ? null : found;
}

function wordsOf(text: string, shortestWord: number): Set<string> {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words.flatMap((word) => {
      if (/\p{N}/u.test(word)) return [word];
      return word.length >= shortestWord || !isLatin(word) ? [word.slice(0, stemLength)] : [];
    }),
  );
}

function isLatin(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(word);
}

/** The share of the distinctive words of a text that another has, too; of one that has none, of all its words. */
export function sharedWords(text: string, other: string): number {
  const distinctive = distinctiveWords(text);
  const wanted = distinctive ?? wordsOf(text, 1);
  if (wanted.size === 0) return 1;
  const there = wordsOf(other, distinctive === null ? 1 : shortest);
  return [...wanted].filter((word) => there.has(word)).length / wanted.size;
}

/** Of what came in, at least so much is found in what was made of it. */
const smallestShare = 0.2;

export function isFoundIn(text: string, other: string): boolean {
  return sharedWords(text, other) >= smallestShare;
}
