import { displayWidth, wideCharacter } from './display-width.ts';
import type { Output } from './io.ts';

/** Text with one style. */
export type Part = { text: string; style?: Style | undefined };
export type Style = 'bold' | 'dim' | 'path' | 'match' | 'good' | 'warning' | 'bad' | 'bad-bold';

/** A line of output. In a terminal it continues at the column `hanging` when it is too long. */
export type Line = { parts: readonly Part[]; indent?: number; hanging?: number };

/**
 * Splits a line into rows of at most `width` columns, between words and between characters of scripts without spaces. A word that is
 * wider than a row, such as a path, stays whole so that it can be copied.
 */
export function wrapLine({ parts, indent = 0, hanging = indent }: Line, width: number): Part[][] {
  const rows: Part[][] = [[{ text: ' '.repeat(indent) }]];
  let column = indent;
  let isEmpty = true;
  for (const { space, word } of splitWords(parts)) {
    const wordWidth = widthOf(word);
    const spaceWidth = widthOf(space);
    if (!isEmpty && column + spaceWidth + wordWidth > width) {
      rows.push([{ text: ' '.repeat(hanging) }, ...word]);
      column = hanging + wordWidth;
    } else {
      rows.at(-1)?.push(...space, ...word);
      column += spaceWidth + wordWidth;
    }
    isEmpty = false;
  }
  return rows;
}

const defaultWidth = 80;

/** A terminal of unknown width reports 0 columns. */
export function terminalWidth({ columns }: Output): number {
  return columns || defaultWidth;
}

/** Wraps the lines of a text, which continue below the text after their line number or bullet. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine({ parts: [{ text: line }], hanging: beginningOf(line) }, width))
    .map((row) => row.map((part) => part.text).join(''))
    .join('\n');
}

function beginningOf(line: string): number {
  const beginning = /^\s*(?:(?:\d+ *\||[-*+]|\d+[.)]) )?\s*/.exec(line)?.[0].length ?? 0;
  // Columns are separated by two spaces.
  return beginning === 0 && /\S {2,}\S/.test(line) ? 2 : beginning;
}

type Word = { space: Part[]; word: Part[] };

const unbreakableSpaces = String.raw`\u00a0\u2007\u202f`;
const tokens = new RegExp(
  [
    String.raw`(?<space>[^\S${unbreakableSpaces}]+)`,
    `(?<wide>${wideCharacter})`,
    String.raw`(?:(?!${wideCharacter})[\S${unbreakableSpaces}])+`,
  ].join('|'),
  'gu',
);

/** A word may consist of several parts, of which one is marked. */
function splitWords(parts: readonly Part[]): Word[] {
  const words: Word[] = [];
  let space: Part[] = [];
  let mayJoin = false;
  for (const part of parts)
    for (const { 0: text, groups } of part.text.matchAll(tokens)) {
      const piece = { ...part, text };
      const isWide = groups?.['wide'] !== undefined;
      if (groups?.['space'] !== undefined) space.push(piece);
      else if (mayJoin && !isWide && space.length === 0) words.at(-1)?.word.push(piece);
      else words.push({ space, word: [piece] });
      if (groups?.['space'] === undefined) space = [];
      mayJoin = !isWide;
    }
  return words;
}

function widthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + displayWidth(text), 0);
}
