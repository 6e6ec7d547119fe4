import {
  findDates,
  findNumbers,
  findNumberWords,
  fold,
  supportChecker,
} from '../../../vault/src/review/index.ts';
import { matcherOf } from './text-matcher.ts';
import type { TextMatcherSpec } from './text-matcher.ts';

/** A value that a sentence says: a text with names, numbers or dates, in any notation, or a pattern. */
type SaidValue = string | TextMatcherSpec;

type SentenceReader = {
  says(value: SaidValue): boolean;
  /** The names, numbers and dates that none of these texts contains, as written. */
  findUnsupported(sources: readonly string[]): string[];
};

type Options = { overview: string; language: 'fr' | 'en' | 'de'; today: string };

const citation = /\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]/g;

/** Reads the sentence of an answer. `1 200 €` says `1,200`, and `6 October` says `2026-10-06` in that year. */
export function createSentenceReader({ overview, language, today }: Options): SentenceReader {
  const text = overview.replaceAll(citation, ' ');
  const said = fold(text);
  const numbers = new Set([
    ...findNumbers(text).flatMap(({ meanings }) => meanings),
    ...findNumberWords(text),
  ]);
  const saysNumbers = (value: string): boolean =>
    findNumbers(value).every(({ meanings }) => meanings.some((each) => numbers.has(each)));
  const check = supportChecker({ texts: [text], days: [today] }, 'de');
  return {
    says(value) {
      if (typeof value !== 'string') return matcherOf(value)(text);
      if (containsWord(said, fold(value))) return true;
      if (findDates(value, 'certain').length > 0) return check(value).length === 0;
      return /^\P{L}*\d\P{L}*$/u.test(value) && saysNumbers(value);
    },
    findUnsupported: (sources) => {
      const find = supportChecker({ texts: sources, days: [today] }, language);
      return [...new Set(text.split('\n').flatMap(find))];
    },
  };
}

/** “40” is not in “140” or “40.5”. */
function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + word.length)];
    const isDigit = /^\d/.test(word) && /\d[.,\s]?$/.test(before);
    if (!isDigit && !(/\d$/.test(word) && /^[.,]?\d/.test(after))) return true;
  }
  return false;
}
