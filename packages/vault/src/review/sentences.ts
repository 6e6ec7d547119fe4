import { findMonths } from './parse-dates.ts';

/** Words before a full stop that do not end a sentence. */
const abbreviation =
  /(?:^|[\s(])(?:M|MM|Mme|Mlle|Dr|Pr|Me|St|Ste|Mr|Mrs|Ms|Prof|art|p|pp|n|no|nr|env|etc|ex|e\.g|i\.e|z\.B|ca|max|min|bd|av|tél|tel|vs|cf|approx)$/i;
const sentenceEnd = /[.!?…]+["»”’)\]]*(?=\s)/gu;

/** A line end within a sentence, as mail programs write it. */
const wrappedLine = /(?<=[^\n]{50}[\p{L},])\r?\n(?=\p{Ll})/gu;

/** Splits a text into sentences: at line ends, and after a full stop, question mark or exclamation mark. */
export function splitSentences(text: string): string[] {
  return text
    .replaceAll(wrappedLine, ' ')
    .split(/\r?\n/)
    .flatMap(splitProse)
    .map(stripMarkup)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Splits a line into sentences, which together are the line. */
export function splitProse(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: end, index } of line.matchAll(sentenceEnd)) {
    const before = line.slice(start, index);
    const after = line.slice(index + end.length);
    if (end === '.' && (abbreviation.test(before) || isOrdinal(before, after))) continue;
    sentences.push(line.slice(start, index + end.length));
    start = index + end.length;
  }
  sentences.push(line.slice(start));
  return sentences;
}

/** Whether a number with a full stop is a day, such as `10. April`, or an initial, such as `J. Smith`. */
function isOrdinal(before: string, after: string): boolean {
  const isDay =
    /(?:^|\s)\d{1,2}$/.test(before) &&
    (/^\s+\p{Ll}/u.test(after) || findMonths(after.slice(0, 12)).length > 0);
  return isDay || /(?:^|\s)\p{Lu}$/u.test(before);
}

/** Removes the markup of lists, headings, quotes and tables. */
function stripMarkup(sentence: string): string {
  return sentence.replace(/^\s*(?:(?:[-+*>#|]+|\d{1,2}[.)])\s+)*(?:\[[ xX]\]\s+)?/, '').trim();
}

/** Splits a sentence into clauses: at commas, semicolons, colons, dashes and brackets. Numbers such as `1,200` stay whole. */
export function splitClauses(sentence: string): string[] {
  return sentence
    .split(/[,;:](?!\d)|\s[–—-]\s|[()]/u)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
}
