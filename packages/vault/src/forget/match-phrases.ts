/** A range of a text, in UTF-16 units; `end` is exclusive. */
export type Span = { start: number; end: number };

/** Finds phrases in any letter case, Unicode form and line wrapping. */
export type PhraseMatcher = {
  test(text: string): boolean;
  /** In order, without overlaps. */
  find(text: string): Span[];
};

export function createPhraseMatcher(phrases: readonly string[]): PhraseMatcher {
  // Where two begin, the longer one is meant.
  const ordered = phrases.toSorted((a, b) => b.length - a.length);
  const patterns = ordered.map(toPattern).filter((pattern) => pattern !== '');
  if (patterns.length === 0) return { test: () => false, find: () => [] };
  const pattern = new RegExp(patterns.join('|'), 'gu');
  const once = new RegExp(pattern, 'u');
  const test = (text: string): boolean => once.test(foldText(text));
  return {
    test,
    find(text) {
      if (!test(text)) return [];
      const { folded, origins } = foldWithOrigins(text);
      return [...folded.matchAll(pattern)].map(({ index, 0: { length } }) => ({
        start: origins[index] ?? 0,
        end: origins[index + length] ?? text.length,
      }));
    },
  };
}

/** Spaces of a phrase also match line breaks, with the markers of quotes and lists, emphasis, and spaces in links. */
const gap = String.raw`[*_~\x60]*(?:\s+(?:(?:>|[-*+])\s+)*|%20)[*_~\x60]*`;
/** In these scripts, a phrase must not start or end inside a word. */
export const spacedCharacter = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;

function toPattern(phrase: string): string {
  const folded = foldText(phrase).trim();
  if (folded === '') return '';
  const body = folded
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(gap);
  const [first = '', last = ''] = [folded.at(0), folded.at(-1)];
  const before = spacedCharacter.test(first) ? String.raw`(?:(?<![\p{L}\p{N}])|(?<=%20))` : '';
  const after = spacedCharacter.test(last) ? String.raw`(?![\p{L}\p{N}])` : '';
  return `${before}${body}${after}`;
}

const isAscii = /^[\0-\u007f]*$/;
/** Characters that are not ASCII, and ASCII characters with combining marks. */
const unusualCharacter = /[^\0-\u007f]\p{M}*|[\0-\u007f]\p{M}+/gu;

function foldText(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text.replaceAll(unusualCharacter, foldCharacter).toLowerCase();
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
