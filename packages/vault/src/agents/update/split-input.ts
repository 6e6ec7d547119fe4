import { renderBlock, formatNumberedLines, lineNumberWidth, formatPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';

/** One text of the input, split into lines. */
export type InputText = { path: VaultPath; lines: readonly string[] };

/**
 * The start of a part: the zero-based indexes of the text and of the line, and the number of characters of that line
 * that are already used.
 */
export type InputPosition = { source: number; line: number; character: number };

export type InputPart = { text: string; next: InputPosition | null };

export const startPosition: InputPosition = { source: 0, line: 0, character: 0 };

/** Rough estimate. */
const charactersPerToken = 4;

const maxHeadLines = 16;
const maxHeadLineCharacters = 200;

/** The first lines of each text, truncated. */
export function formatHead(sources: readonly InputText[]): string {
  const heads = sources.map(({ path, lines }) => {
    const first = lines.slice(0, maxHeadLines).map((line) => line.slice(0, maxHeadLineCharacters));
    return renderBlock(
      `${formatPath(path)} (lines 1-${first.length} of ${lines.length})`,
      formatNumberedLines(first, 1),
    );
  });
  return heads.join('\n\n');
}

/** The number of tokens of these texts as displayed. */
export function estimateTokens(sources: readonly InputText[]): number {
  return (
    toUnits(sources, startPosition, Infinity).reduce((sum, unit) => sum + unit.cost, 0) / charactersPerToken
  );
}

/**
 * Splits the input, starting at a position, into parts of at most `tokens` tokens: at a heading, otherwise at the name
 * of a speaker, otherwise at a paragraph, otherwise at a line. A line is split only if it is too long by itself.
 */
export function splitInput(sources: readonly InputText[], from: InputPosition, tokens: number): InputPart[] {
  const size = tokens * charactersPerToken;
  const units = toUnits(sources, from, size / 2);
  const parts: InputPart[] = [];
  for (let start = 0; start < units.length;) {
    const end = findPartEnd(units, start, size);
    const next = units[end];
    parts.push({
      text: render(sources, units.slice(start, end)),
      next: next === undefined ? null : next.at,
    });
    start = end;
  }
  return parts;
}

/** A line, or a piece of one that is too long. */
type SplitUnit = {
  at: InputPosition;
  text: string;
  isPiece: boolean;
  cost: number;
  /** How suitable the unit is as the start of a part. */
  rank: number;
};

function toUnits(sources: readonly InputText[], from: InputPosition, maxCharacters: number): SplitUnit[] {
  return sources.slice(from.source).flatMap(({ lines }, offset) => {
    const source = from.source + offset;
    const first = offset === 0 ? from.line : 0;
    const width = lineNumberWidth(lines.length) + 4;
    return lines.slice(first).flatMap((whole, index) => {
      const line = first + index;
      const startCharacter = offset === 0 && index === 0 ? from.character : 0;
      const rank = line === 0 ? 3 : breakPriority(whole, lines[line - 1] ?? '');
      const pieces = splitLongLine(
        whole,
        startCharacter,
        maxCharacters * (whole.length / Math.max(1, estimateCharacters(whole))),
      );
      return pieces.map(({ character, text }): SplitUnit => {
        const isPiece = pieces.length > 1 || startCharacter > 0;
        const at = { source, line, character };
        return {
          at,
          text,
          isPiece,
          cost: estimateCharacters(text) + width,
          rank: character === 0 ? rank : 0,
        };
      });
    });
  });
}

/**
 * The length in Latin-script characters. A character of some other scripts counts as four, because it is at least one
 * token.
 */
function estimateCharacters(text: string): number {
  return (
    text.length +
    (charactersPerToken - 1) * (text.match(/[\u0e00-\u0eff\u1100-\u11ff\u2e80-\uffef]/g)?.length ?? 0)
  );
}

const heading = /^#{1,6} /;
/**
 * The name of a speaker, limited in length, at the start of a line: `Role:`, `**Role:**`, `[00:12:03] Role:`, `00:12
 * Role:`.
 */
const speaker =
  /^(?:\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s*)?(?:\*\*)?[\p{L}][\p{L}\p{M}\p{N} .'’-]{0,40}(?:\*\*)?\s*:/u;

function breakPriority(line: string, before: string): number {
  if (heading.test(line)) return 3;
  if (speaker.test(line)) return 2;
  return before.trim() === '' && line.trim() !== '' ? 1 : 0;
}

/** Splits an overlong line: after a sentence, otherwise after a space, otherwise anywhere. */
function splitLongLine(
  line: string,
  startCharacter: number,
  maxCharacters: number,
): { character: number; text: string }[] {
  const limit = Math.max(1, Math.floor(maxCharacters));
  const pieces: { character: number; text: string }[] = [];
  let character = startCharacter;
  while (line.length - character > limit) {
    const window = line.slice(character, character + limit);
    const half = Math.floor(limit / 2);
    const sentence = Math.max(...['. ', '! ', '? ', '… '].map((end) => window.lastIndexOf(end) + 2));
    const space = window.lastIndexOf(' ') + 1;
    const cut = sentence > half ? sentence : space > half ? space : avoidSplitSurrogate(window);
    pieces.push({ character, text: line.slice(character, character + cut) });
    character += cut;
  }
  pieces.push({ character, text: line.slice(character) });
  return pieces;
}

/** Avoids splitting a surrogate pair. */
function avoidSplitSurrogate(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length;
}

/** Finds the best end of a part in the second half of what fits; if several are equally good, the last one. */
function findPartEnd(units: readonly SplitUnit[], start: number, size: number): number {
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

function render(sources: readonly InputText[], units: readonly SplitUnit[]): string {
  const groups: SplitUnit[][] = [];
  for (const unit of units) {
    const last = groups.at(-1)?.at(-1);
    const continuesGroup =
      last !== undefined && !last.isPiece && !unit.isPiece && last.at.source === unit.at.source;
    if (continuesGroup) groups.at(-1)?.push(unit);
    else groups.push([unit]);
  }
  return groups.map((group) => renderGroup(sources, group)).join('\n\n');
}

/** Renders consecutive lines, or one piece of a line. */
function renderGroup(sources: readonly InputText[], group: readonly SplitUnit[]): string {
  const [first] = group;
  const source = first && sources[first.at.source];
  if (first === undefined || source === undefined) return '';
  const { line, character } = first.at;
  const total = source.lines.length;
  const where = first.isPiece
    ? `line ${line + 1} of ${total}, characters ${character + 1}-${character + first.text.length}`
    : `lines ${line + 1}-${line + group.length} of ${total}`;
  return renderBlock(
    `${formatPath(source.path)} (${where})`,
    formatNumberedLines(
      group.map(({ text }) => text),
      line + 1,
    ),
  );
}
