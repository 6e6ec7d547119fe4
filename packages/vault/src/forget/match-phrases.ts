import { extractUtf8, foldBytes } from './binary-text.ts';
import { decodePercent, originsOfDecoded } from './percent-encoding.ts';
import { mergeSpans } from './text-edits.ts';
import type { Span } from './text-edits.ts';

/** Finds phrases in any letter case, Unicode form and line wrapping, also percent-encoded. */
export type PhraseMatcher = {
  test(text: string): boolean;
  /** Whether bytes that are not text contain a phrase in UTF-8. */
  testUtf8(bytes: Buffer): boolean;
  /** Whether bytes that are not text contain a phrase in Latin-1. */
  testLatin1(bytes: Buffer): boolean;
  /** In order, without overlaps. */
  find(text: string): Span[];
};

export function createPhraseMatcher(phrases: readonly string[]): PhraseMatcher {
  // Where two begin, the longer one is meant.
  const ordered = phrases.toSorted((a, b) => b.length - a.length);
  const patterns = ordered.map(toPattern).filter((pattern) => pattern !== '');
  const none = (): boolean => false;
  if (patterns.length === 0) return { test: none, testUtf8: none, testLatin1: none, find: () => [] };
  const pattern = new RegExp(patterns.join('|'), 'gu');
  const once = new RegExp(pattern, 'u');
  const fold = createTextFolder();
  const test = (text: string): boolean => {
    if (once.test(fold(text))) return true;
    const decoded = decodePercent(text);
    return decoded !== text && once.test(fold(decoded));
  };
  const findAsWritten = (text: string): Span[] => {
    const { folded, origins } = foldWithOrigins(text);
    return [...folded.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      start: origins[index] ?? 0,
      end: origins[index + length] ?? text.length,
    }));
  };
  const minLength = Math.min(
    ...ordered.map((phrase) => foldText(phrase).trim().replaceAll(/\s+/g, ' ').length),
  );
  return {
    test,
    testUtf8: (bytes) => test(extractUtf8(bytes, minLength)),
    testLatin1: (bytes) => once.test(foldLatin1(bytes)),
    find(text) {
      if (!test(text)) return [];
      const found = findAsWritten(text);
      const decoded = decodePercent(text);
      if (decoded === text) return found;
      // Both, because what looks encoded can be meant as it is written.
      const origins = originsOfDecoded(text);
      const encoded = findAsWritten(decoded).map(({ start, end }) => ({
        start: origins[start] ?? 0,
        end: origins[end] ?? text.length,
      }));
      return mergeSpans([...found, ...encoded]);
    },
  };
}

/** Spaces of a phrase also match line breaks, with the markers of quotes and lists, and emphasis. */
const gap = String.raw`[*_~\x60]*\s+(?:(?:>|[-*+])\s+)*[*_~\x60]*`;
/** In these scripts, a phrase must not start or end inside a word. */
export const spacedCharacter = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;

/** The folded text of bytes in Latin-1, in which every byte is a character of its own. */
const foldLatin1 = (bytes: Buffer): string => foldBytes(bytes, latin1Characters());

function latin1Characters(): string[] {
  return Array.from({ length: 256 }, (_, byte) => foldText(String.fromCharCode(byte)));
}

function toPattern(phrase: string): string {
  const folded = foldText(phrase).trim();
  if (folded === '') return '';
  const body = folded
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(gap);
  const [first = '', last = ''] = [folded.at(0), folded.at(-1)];
  const before = spacedCharacter.test(first) ? String.raw`(?<![\p{L}\p{N}])` : '';
  const after = spacedCharacter.test(last) ? String.raw`(?![\p{L}\p{N}])` : '';
  return `${before}${body}${after}`;
}

const isAscii = /^[\0-\u007f]*$/;
/** Characters that are not ASCII, and ASCII characters with combining marks. */
const unusualCharacter = /[^\0-\u007f]\p{M}*|[\0-\u007f]\p{M}+/gu;

function foldText(text: string, fold = foldCharacter): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text.replaceAll(unusualCharacter, fold).toLowerCase();
}

const maxFoldedCharacters = 20_000;

/** Folds every character once, because normalizing is slow and a text repeats its characters. */
function createTextFolder(): (text: string) => string {
  const folded = new Map<string, string>();
  const fold = (character: string): string => {
    const known = folded.get(character);
    if (known !== undefined) return known;
    if (folded.size >= maxFoldedCharacters) folded.clear();
    const result = foldCharacter(character);
    folded.set(character, result);
    return result;
  };
  return (text) => foldText(text, fold);
}

/** The folded text, and for each of its positions the position in the original. */
function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  const origins: number[] = [];
  let folded = '';
  const add = (part: string, at: number, step: 0 | 1): void => {
    for (let index = 0; index < part.length; index += 1) origins.push(at + step * index);
    folded += part;
  };
  let from = 0;
  for (const { index, 0: character } of text.matchAll(unusualCharacter)) {
    add(text.slice(from, index).toLowerCase(), from, 1);
    add(foldCharacter(character).toLowerCase(), index, 0);
    from = index + character.length;
  }
  add(text.slice(from).toLowerCase(), from, 1);
  origins.push(text.length);
  return { folded, origins };
}

/** Upper case first: some letters have several lower case forms. */
function foldCharacter(character: string): string {
  // Stands for bytes that are not text, of which databases have many.
  if (character === '\ufffd') return character;
  return character
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll(/[‘’‚‛′]/g, "'")
    .replaceAll(/[“”„‟″]/g, '"')
    .replaceAll(/\p{Pd}/gu, '-');
}
