import { stemmer } from 'stemmer';
import { isLetter } from './occurrences.ts';
import { partsOf } from './query.ts';
import type { Query } from './query.ts';
import { cjkCharacter, normalizeText } from './tokenizer.ts';

/** What a text contains of a query. */
export type TextMatch = {
  /** The parts of the query (see `partsOf`) that occur, by their positions. */
  parts: Set<number>;
  /** The lines, from 0, that contain a part. */
  lines: number[];
};

/** Compares texts with a query word by word, without regard to case and accents. */
export type TextMatcher = {
  /** The number of parts; a note matches if its texts contain all of them. */
  parts: number;
  /** Null if the text contains an excluded word. */
  match: (text: string) => TextMatch | null;
};

/** A part of a query: a pattern for its beginning, and a test of what begins there. */
type PartMatcher = { beginning: RegExp; isAt: (text: string, start: number) => boolean };

/**
 * A word matches if it has the same stem in the index, so with an English ending (`heating`, `heated`); a word of a phrase only as
 * typed.
 */
export function createTextMatcher(query: Query): TextMatcher {
  const { words, phrases } = partsOf(query);
  const parts = [...words.map((word) => createWordMatcher(word, query)), ...phrases.map(createPhraseMatcher)];
  const excluded = query.excluded.map((phrase) => {
    const [word = '', ...more] = phrase;
    return more.length === 0 ? createWordMatcher(word, query) : createPhraseMatcher(phrase);
  });
  return {
    parts: parts.length,
    match(text) {
      const plain = composeLetters(text);
      if (excluded.some((part) => offsetsOf(part, plain).length > 0)) return null;
      const found = new Set<number>();
      const offsets: number[] = [];
      for (const [position, part] of parts.entries()) {
        const own = offsetsOf(part, plain);
        if (own.length > 0) found.add(position);
        for (const offset of own) offsets.push(offset);
      }
      return { parts: found, lines: linesAt(plain, offsets) };
    },
  };
}

/** Creates a test whether texts contain all phrases of a query word for word, each within one of them; null if it has none. */
export function createPhraseTest(query: Query): ((texts: readonly string[]) => boolean) | null {
  if (query.phrases.length === 0) return null;
  const { parts, match } = createTextMatcher({ ...query, terms: [], excluded: [] });
  return (texts) => new Set(texts.flatMap((text) => [...(match(text)?.parts ?? [])])).size === parts;
}

/** Without combining marks on Latin letters; the lines stay the same. */
function composeLetters(text: string): string {
  return /[\u0300-\u036f]/.test(text)
    ? text.normalize('NFC').replaceAll(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    : text;
}

function offsetsOf({ beginning, isAt }: PartMatcher, text: string): number[] {
  const offsets: number[] = [];
  beginning.lastIndex = 0;
  for (let found = beginning.exec(text); found !== null; found = beginning.exec(text))
    if (isAt(text, found.index)) offsets.push(found.index);
  return offsets;
}

function linesAt(text: string, offsets: readonly number[]): number[] {
  const lines: number[] = [];
  let [line, end] = [0, text.indexOf('\n')];
  for (const offset of offsets.toSorted((a, b) => a - b)) {
    for (; end >= 0 && end < offset; line += 1) end = text.indexOf('\n', end + 1);
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}

function createWordMatcher(word: string, { prefixes, corrections }: Query): PartMatcher {
  if (cjkCharacter.test(word) || prefixes.has(word))
    return { beginning: anySpelling(word), isAt: (text, start) => isWordStart(text, start) };
  const stems = new Set((corrections.get(word) ?? [word]).map(stemmer));
  const known = new Map<string, boolean>();
  return {
    beginning: anySpelling(...[...stems].map(beginningOf)),
    isAt(text, start) {
      if (!isWordStart(text, start)) return false;
      const found = text.slice(start, wordEnd(text, start));
      const isSame = known.get(found) ?? stems.has(stemmer(normalizeText(found)));
      known.set(found, isSame);
      return isSame;
    },
  };
}

/** Without the last letter, which may differ from that of a word, as in `possibl` for `possibility`. */
function beginningOf(stem: string): string {
  const end = Math.max(2, stem.length - 1);
  return stem.slice(0, ligatures.has(stem.slice(end - 1, end + 1)) ? end - 1 : end);
}

function createPhraseMatcher(words: readonly string[]): PartMatcher {
  return {
    beginning: anySpelling(words[0] ?? ''),
    isAt(text, start) {
      if (!isWordStart(text, start)) return false;
      let at = start;
      return words.every((word) => {
        while (at < text.length && !isLetter(text, at)) at += 1;
        const end = wordEnd(text, at);
        const isSame = normalizeText(text.slice(at, end)) === word;
        at = end;
        return isSame;
      });
    },
  };
}

/** A character of a script without spaces is a word. */
function isWordStart(text: string, at: number): boolean {
  return (
    !isLetter(text, at - 1) || cjkCharacter.test(text.charAt(at)) || cjkCharacter.test(text.charAt(at - 1))
  );
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  if (cjkCharacter.test(text.charAt(start))) return end;
  while (isLetter(text, end) && !cjkCharacter.test(text.charAt(end))) end += 1;
  return end;
}

/** For each letter, a class of its forms in both cases and with all accents. */
const letterForms: ReadonlyMap<string, string> = collectLetterForms();

function collectLetterForms(): Map<string, string> {
  const forms = new Map('abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => [letter, [letter]]));
  for (const [from, to] of [
    [0xdf, 0x24f],
    [0x1e00, 0x1eff],
  ] as const)
    for (let code = from; code <= to; code += 1) {
      const accented = String.fromCodePoint(code).toLowerCase();
      forms.get(normalizeText(accented))?.push(accented);
    }
  return new Map([...forms].map(([letter, own]) => [letter, toClass(own)]));
}

function toClass(letters: readonly string[]): string {
  // The capital of ß is two letters.
  const capitals = letters.map((each) => each.toUpperCase()).filter(({ length }) => length === 1);
  return `[${[...new Set([...letters, ...capitals])].join('')}]`;
}

const ligatures: ReadonlyMap<string, string> = new Map([
  ['oe', 'œ'],
  ['ae', 'æ'],
  ['ss', 'ß'],
]);

/** A pattern for normalized words in any case, with any accents and ligatures. Without the flags `i` and `u`, which are slow. */
function anySpelling(...words: string[]): RegExp {
  const patterns = words.map((word) =>
    word.replaceAll(/oe|ae|ss|[^]/g, (piece) => {
      const apart = piece.split('').map(anyForm).join('');
      const ligature = ligatures.get(piece);
      return ligature === undefined ? apart : `(?:${apart}|${anyForm(ligature)})`;
    }),
  );
  return new RegExp(patterns.join('|'), 'g');
}

function anyForm(letter: string): string {
  return letterForms.get(letter) ?? toClass([letter]);
}
