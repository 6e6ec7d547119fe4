/** Beginnings of words, which inflection leaves alone; numbers are whole. */
const stemLength = 5;
const shortest = 4;

/** What a text can be recognised by: its numbers and longer words, without regard to case and accents. */
function distinctiveWords(text: string): Set<string> {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words.flatMap((word) => {
      if (/\p{N}/u.test(word)) return [word];
      return word.length >= shortest || !isLatin(word) ? [word.slice(0, stemLength)] : [];
    }),
  );
}

function isLatin(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(word);
}

/** The share of the distinctive words of a text that another has, too; 1 when it has none. */
export function sharedWords(text: string, other: string): number {
  const wanted = distinctiveWords(text);
  if (wanted.size === 0) return 1;
  const there = distinctiveWords(other);
  return [...wanted].filter((word) => there.has(word)).length / wanted.size;
}
