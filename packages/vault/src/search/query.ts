import { namedDates } from './named-dates.ts';
import type { NamedDate } from './named-dates.ts';
import { fold, functionWords, ideograph, wordsOf } from './words.ts';

/** What a query asks for, once its syntax is read. All words are folded. */
export type Query = {
  /** The whole of it, to be found literally. */
  literal: string;
  /** The words that matter, each once, in order. */
  terms: string[];
  /** Of the terms that were typed otherwise than folded, how: with accents, mostly. */
  accented: Map<string, string>;
  /** What stood in quotes and must be there as it is. */
  phrases: string[][];
  /** What stood behind a minus and must not be there. */
  excluded: string[][];
  /** Those of the terms that stand for every word they begin. */
  prefixes: ReadonlySet<string>;
  /** What a term that is nowhere must have meant. */
  meant: ReadonlyMap<string, readonly string[]>;
  /** Days and months named in words, which a changelog writes in digits. */
  dates: NamedDate[];
};

/** Beyond this a query says nothing more, whatever was pasted into it. */
const longestQuery = 2_000;
const mostTerms = 40;

/**
 * Reads `words "a phrase" -without begin*`. Anything is a query; one without words finds nothing. The options of a command
 * that was pasted, `-r` and `--latest`, exclude nothing.
 */
export function parseQuery(input: string): Query {
  const text = input.slice(0, longestQuery);
  const phrases: string[][] = [];
  const excluded: string[][] = [];
  const plain = text.replaceAll(
    /(^|\s)(-?)"([^"]*)"?|(^|\s)-((?!-)[^\s"]{2,})/gu,
    (found, ...groups: string[]) => {
      const [, minus, phrase, , word] = groups;
      const words = wordsOf(phrase ?? word ?? '');
      if (words.length === 0) return ' ';
      if (minus === '-' || word !== undefined) excluded.push(words);
      else phrases.push(words);
      return ' ';
    },
  );
  const words = [...new Set([...wordsOf(plain), ...phrases.flat()])];
  const contentWords = words.filter((word) => !functionWords.has(word));
  const isPlain = phrases.length === 0 && excluded.length === 0;
  return {
    literal: isPlain ? text.trim() : '',
    terms: (contentWords.length > 0 ? contentWords : words).slice(0, mostTerms),
    accented: accentedWords(text),
    phrases,
    excluded,
    prefixes: new Set(prefixesIn(plain)),
    meant: new Map(),
    dates: namedDates(text),
  };
}

function accentedWords(text: string): Map<string, string> {
  const typed =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return new Map(typed.flatMap((word) => (fold(word) === word ? [] : [[fold(word), word]])));
}

/**
 * How a term may stand in the index, whose words are folded less: as it was typed, and with `œ` for `oe` or the other way
 * round. Only one for most: what is looked for twice counts twice.
 */
export function spellingsOf(term: string, accented: Query['accented']): string[] {
  const typed = accented.get(term) ?? term;
  const apart = typed.replaceAll('œ', 'oe').replaceAll('æ', 'ae');
  const joined = apart.replaceAll('oe', 'œ').replaceAll('ae', 'æ');
  return apart === joined ? [typed] : [apart, joined];
}

/** `boil*`: at least two letters, or it would stand for everything. */
function prefixesIn(text: string): string[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]{2,}(?=\*)/gu)].flatMap(([word]) =>
    ideograph.test(word) ? [] : wordsOf(word),
  );
}
