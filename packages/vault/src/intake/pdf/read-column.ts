import type { Block } from './block.ts';
import { codeOf } from './code.ts';
import { mergeLines, hasManualBreak, remainingWidth } from './merge-lines.ts';
import type { Margins } from './merge-lines.ts';
import { hasDotLeader, removeDotLeader } from './leaders.ts';
import type { Line } from './line.ts';
import { markerOf, withoutMarker } from './list-marker.ts';
import { boundingBox, median } from './run.ts';

/** Metrics of the body text of the whole document. */
export type Body = { size: number; leading: number };

/** Groups the lines of one column into blocks. */
export function readColumn(lines: readonly Line[], page: number, body: Body): Block[] {
  if (lines.length === 0) return [];
  const edges = boundingBox(lines);
  const indent = median(lines.map((line) => line.left));
  const groups: Line[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group === undefined || startsBlock(group, line, { edges, indent, leading: body.leading }))
      groups.push([line]);
    else group.push(line);
  }
  return nest(groups.map((group, index) => toBlock(group, groups[index - 1], { edges, page, body })));
}

type Column = { edges: Margins; indent: number; leading: number };

function startsBlock(group: readonly Line[], line: Line, { edges, indent, leading }: Column): boolean {
  const [first, before] = [group[0], group.at(-1)];
  if (first === undefined || before === undefined || markerOf(line.text) !== '') return true;
  if (hasDotLeader(before.text)) return true;
  const size = Math.max(before.size, line.size);
  const distance = line.y - before.y;
  if (Math.abs(before.size - line.size) > size * 0.08 || distance < 0) return true;
  if (before.isMono !== line.isMono) return true;
  if (distance > size * leading * 1.25) return !(line.isMono && distance < size * leading * 2.5);
  if (line.isMono) return false;
  const isShort = hasManualBreak(before, line, edges);
  if (before.isBold !== line.isBold && isShort) return true;
  if (markerOf(first.text) !== '') return line.left < first.left + size * 0.5 && isShort;
  const isIndented =
    !line.isRtl && line.left > indent + size * 0.8 && Math.abs(before.left - indent) < size * 0.4;
  return isIndented || (isShort && /[.!?…:»”"]$/.test(before.text) && /^[\p{Lu}\d«“"*[(–—]/u.test(line.text));
}

function toBlock(
  lines: readonly Line[],
  before: readonly Line[] | undefined,
  { edges, page, body }: { edges: Margins; page: number; body: Body },
): Block {
  const place = { ...boundingBox(lines), page };
  const [first] = lines;
  const size = first?.size ?? body.size;
  if (lines.every(({ isMono }) => isMono) && (lines.length > 1 || isCommand(first?.text ?? ''))) {
    return { ...place, kind: 'code', text: codeOf(lines, body.leading) };
  }
  const pieces = mergeLines(lines, () => edges);
  if (hasDotLeader(lines.at(-1)?.text ?? ''))
    return { ...place, kind: 'item', marker: '•', depth: 0, pieces: removeDotLeader(pieces) };
  const isLarge = size >= body.size * 1.15;
  if (isLarge ? isBrief(lines, 250) : isBoldHeading(lines, before, body)) {
    return { ...place, kind: 'heading', pieces, size, isLarge };
  }
  const marker = markerOf(first?.text ?? '');
  if (marker !== '')
    return { ...place, kind: 'item', marker, depth: 0, pieces: withoutMarker(pieces, marker) };
  return { ...place, kind: 'paragraph', pieces, size, room: remainingWidth(lines.at(-1), edges) };
}

function isCommand(text: string): boolean {
  return /^\$ |[;{}]$/.test(text);
}

function isBrief(lines: readonly Line[], maxLetters: number): boolean {
  const length = lines.reduce((sum, { text }) => sum + text.length, 0);
  return lines.length <= 4 && length <= maxLetters && lines.some(({ text }) => /\p{L}/u.test(text));
}

/**
 * Whether lines are a heading although their text is not large: bold, short, apart from the text above, without final
 * punctuation.
 */
function isBoldHeading(lines: readonly Line[], before: readonly Line[] | undefined, body: Body): boolean {
  const [first] = lines;
  if (first === undefined || !lines.every(({ isBold }) => isBold) || first.size < body.size * 0.95)
    return false;
  const isApart = before === undefined || first.y - (before.at(-1)?.y ?? 0) > first.size * body.leading * 1.2;
  return (
    isApart &&
    isBrief(lines, 90) &&
    !/[.:;,!?]$/.test(lines.at(-1)?.text ?? '') &&
    markerOf(first.text) === ''
  );
}

/** Derives the depth of list items from their indentation relative to their neighbours. */
function nest(blocks: Block[]): Block[] {
  let lefts: number[] = [];
  return blocks.map((block) => {
    if (block.kind !== 'item') {
      lefts = [];
      return block;
    }
    lefts = lefts.filter((left) => left < block.left + 4);
    if ((lefts.at(-1) ?? -Infinity) < block.left - 4) lefts.push(block.left);
    return { ...block, depth: Math.max(0, lefts.length - 1) };
  });
}
