import { parseDates } from './parse-dates.ts';
import type { PartialDate } from './parse-dates.ts';
import { cjkCharacter, dropStopWords, normalizeText, tokenize } from './tokenizer.ts';

/** A parsed query. All words are normalized. */
export type Query = {
  /** The whole input, for exact matches. */
  exactText: string;
  /** The significant terms in order, without duplicates. */
  terms: string[];
  /** For terms typed with accents, their original spelling, which ranks first. */
  accentedForms: ReadonlyMap<string, string>;
  /** Quoted phrases that must occur exactly. */
  phrases: string[][];
  /** Words and phrases after a minus, which must not occur. */
  excluded: string[][];
  /** Terms that match every word that starts with them. */
  prefixes: ReadonlySet<string>;
  /** The words that are searched instead of terms that do not occur in the index. */
  corrections: ReadonlyMap<string, readonly string[]>;
  /** The corrected terms whose corrections are other words. */
  misspelled: ReadonlySet<string>;
  /** Days and months written in words, which changelogs write in digits. */
  dates: PartialDate[];
};

/** Longer input is truncated: pasted text beyond this does not improve the results. */
export const maxQueryCharacters = 2_000;
const maxTerms = 40;

/**
 * Parses `words "a phrase" -without begin*`. Every input is valid; a query without words finds nothing. Options in a
 * pasted command, such as `-r` and `--latest`, are not exclusions.
 */
export function parseQuery(input: string): Query {
  const text = input.slice(0, maxQueryCharacters);
  const phrases: string[][] = [];
  const excluded: string[][] = [];
  const plain = text.replaceAll(
    /(^|\s)(-?)"([^"]*)"?|(^|\s)-((?!-)[^\s"]{2,})/gu,
    (found, ...groups: string[]) => {
      const [, minus, phrase, , word] = groups;
      const words = tokenize(phrase ?? word ?? '');
      if (words.length === 0) return ' ';
      if (minus === '-' || word !== undefined) excluded.push(words);
      else phrases.push(words);
      return ' ';
    },
  );
  const words = [...new Set([...tokenize(plain), ...phrases.flat()])];
  const isPlain = phrases.length === 0 && excluded.length === 0;
  return {
    exactText: isPlain ? text.trim() : '',
    terms: dropStopWords(words).slice(0, maxTerms),
    accentedForms: collectAccentedForms(text),
    phrases,
    excluded,
    prefixes: new Set(parsePrefixes(plain)),
    corrections: new Map(),
    misspelled: new Set(),
    dates: parseDates(text),
  };
}

function collectAccentedForms(text: string): Map<string, string> {
  const typed =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return new Map(
    typed.flatMap((word) => (normalizeText(word) === word ? [] : [[normalizeText(word), word]])),
  );
}

/** What a text must contain to match a query: its words, except those within its phrases, and its phrases. */
export function partsOf({ terms, phrases }: Query): { words: string[]; phrases: readonly string[][] } {
  const quoted = new Set(phrases.flat());
  return { words: terms.filter((term) => !quoted.has(term)), phrases };
}

/**
 * The spellings under which the index may contain words, because it keeps `œ`, `æ` and `ß`. They are distinct, because a
 * spelling that is searched twice would count twice.
 */
export function spellingVariants(words: string): string[] {
  const joined = words.replaceAll('oe', 'œ').replaceAll('ae', 'æ');
  return [...new Set([words, joined, words.replaceAll('ss', 'ß')])];
}

/** A prefix such as `boil*` needs at least two letters; a shorter one would match too much. */
function parsePrefixes(text: string): string[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]{2,}(?=\*)/gu)].flatMap(([word]) =>
    cjkCharacter.test(word) ? [] : tokenize(word),
  );
}
