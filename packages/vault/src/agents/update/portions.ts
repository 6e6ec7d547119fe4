import { block, numberedLines, numberWidth, showPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';

/** A text that came in, line by line. */
export type Source = { path: VaultPath; lines: readonly string[] };

/** Where a portion begins: the number of the source and of its line, from zero, and how many of its characters are over. */
export type Position = { source: number; line: number; character: number };

export type Portion = { text: string; next: Position | null };

export const beginning: Position = { source: 0, line: 0, character: 0 };

/** As many characters as so many tokens, roughly. */
const charactersPerToken = 4;

const mostFirstLines = 16;
const longestFirstLine = 200;

/** The first lines of each text, cut short. */
export function firstLines(sources: readonly Source[]): string {
  const heads = sources.map(({ path, lines }) => {
    const first = lines.slice(0, mostFirstLines).map((line) => line.slice(0, longestFirstLine));
    return block(`${showPath(path)} (lines 1-${first.length} of ${lines.length})`, numberedLines(first, 1));
  });
  return heads.join('\n\n');
}

/** How many tokens these are when they are shown. */
export function tokensShown(sources: readonly Source[]): number {
  return (
    unitsFrom(sources, beginning, Infinity).reduce((sum, unit) => sum + unit.cost, 0) / charactersPerToken
  );
}

/**
 * What came in, from a position on, in portions of so many tokens at most: cut at a heading, else where somebody else
 * begins to speak, else at a paragraph, else at a line; within a line only where it alone is too long.
 */
export function cutPortions(sources: readonly Source[], from: Position, tokens: number): Portion[] {
  const size = tokens * charactersPerToken;
  const units = unitsFrom(sources, from, size / 2);
  const portions: Portion[] = [];
  for (let start = 0; start < units.length;) {
    const end = endOfPortion(units, start, size);
    const next = units[end];
    portions.push({
      text: render(sources, units.slice(start, end)),
      next: next === undefined ? null : next.at,
    });
    start = end;
  }
  return portions;
}

/** A line, or a piece of one that is too long. */
type Unit = {
  at: Position;
  text: string;
  isPiece: boolean;
  cost: number;
  /** How good a place it is to begin a portion at. */
  rank: number;
};

function unitsFrom(sources: readonly Source[], from: Position, longest: number): Unit[] {
  return sources.slice(from.source).flatMap(({ lines }, offset) => {
    const source = from.source + offset;
    const first = offset === 0 ? from.line : 0;
    const width = numberWidth(lines.length) + 4;
    return lines.slice(first).flatMap((whole, index) => {
      const line = first + index;
      const begun = offset === 0 && index === 0 ? from.character : 0;
      const rank = line === 0 ? 3 : rankOf(whole, lines[line - 1] ?? '');
      const pieces = piecesOf(whole, begun, longest * (whole.length / Math.max(1, costOf(whole))));
      return pieces.map(({ character, text }): Unit => {
        const isPiece = pieces.length > 1 || begun > 0;
        const at = { source, line, character };
        return { at, text, isPiece, cost: costOf(text) + width, rank: character === 0 ? rank : 0 };
      });
    });
  });
}

/** In characters of an alphabet: those of other scripts are a token each, or more. */
function costOf(text: string): number {
  return (
    text.length +
    (charactersPerToken - 1) * (text.match(/[\u0e00-\u0eff\u1100-\u11ff\u2e80-\uffef]/g)?.length ?? 0)
  );
}

const heading = /^#{1,6} /;
/** `Role:`, `**Role:**`, `[00:12:03] Role:`, `00:12 Role:`; a name is short. */
const speaker =
  /^(?:\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s*)?(?:\*\*)?[\p{L}][\p{L}\p{M}\p{N} .'’-]{0,40}(?:\*\*)?\s*:/u;

function rankOf(line: string, before: string): number {
  if (heading.test(line)) return 3;
  if (speaker.test(line)) return 2;
  return before.trim() === '' && line.trim() !== '' ? 1 : 0;
}

/** Cut behind a sentence, else at a space, where it is longer than it may be. */
function piecesOf(line: string, begun: number, most: number): { character: number; text: string }[] {
  const longest = Math.max(1, Math.floor(most));
  const pieces: { character: number; text: string }[] = [];
  let character = begun;
  while (line.length - character > longest) {
    const window = line.slice(character, character + longest);
    const half = Math.floor(longest / 2);
    const sentence = Math.max(...['. ', '! ', '? ', '… '].map((end) => window.lastIndexOf(end) + 2));
    const space = window.lastIndexOf(' ') + 1;
    const cut = sentence > half ? sentence : space > half ? space : wholeCharacters(window);
    pieces.push({ character, text: line.slice(character, character + cut) });
    character += cut;
  }
  pieces.push({ character, text: line.slice(character) });
  return pieces;
}

/** Not between the two halves of one character. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length;
}

/** The best place in the second half of what fits; the last of those that are equally good. */
function endOfPortion(units: readonly Unit[], start: number, size: number): number {
  let room = size;
  let half = start + 1;
  let end = start;
  while (end < units.length) {
    room -= units[end]?.cost ?? 0;
    if (room < 0 && end > start) break;
    end += 1;
    if (room > size / 2) half = end;
  }
  if (end === units.length) return end;
  let best = end;
  for (let at = end; at >= half; at -= 1) if ((units[at]?.rank ?? 0) > (units[best]?.rank ?? 0)) best = at;
  return best;
}

function render(sources: readonly Source[], units: readonly Unit[]): string {
  const groups: Unit[][] = [];
  for (const unit of units) {
    const last = groups.at(-1)?.at(-1);
    const goesOn = last !== undefined && !last.isPiece && !unit.isPiece && last.at.source === unit.at.source;
    if (goesOn) groups.at(-1)?.push(unit);
    else groups.push([unit]);
  }
  return groups.map((group) => renderGroup(sources, group)).join('\n\n');
}

/** Lines that follow each other, or one piece of a line. */
function renderGroup(sources: readonly Source[], group: readonly Unit[]): string {
  const [first] = group;
  const source = first && sources[first.at.source];
  if (first === undefined || source === undefined) return '';
  const { line, character } = first.at;
  const total = source.lines.length;
  const where = first.isPiece
    ? `line ${line + 1} of ${total}, characters ${character + 1}-${character + first.text.length}`
    : `lines ${line + 1}-${line + group.length} of ${total}`;
  return block(
    `${showPath(source.path)} (${where})`,
    numberedLines(
      group.map(({ text }) => text),
      line + 1,
    ),
  );
}
