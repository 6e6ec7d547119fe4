import type { FoldedItem } from '../fold.ts';
import { pluralize } from './format-quantities.ts';

/** Formats lines as `9  | text`, with their line numbers in the file. All lines are shown in this form. */
export function formatNumberedLines(
  lines: readonly string[],
  first: number,
  width = lineNumberWidth(first + lines.length - 1),
): string {
  return lines.map((line, index) => numberedLine(line, first + index, width)).join('\n');
}

/** The lines in a text of `formatNumberedLines`, without their numbers. */
export function parseNumberedLines(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/^\d+ *\| ?/, ''));
}

/** Formats ranges of one file with a gap between them. */
export function formatLineRanges(ranges: readonly { first: number; lines: readonly string[] }[]): string {
  const width = lineNumberWidth(Math.max(...ranges.map(({ first, lines }) => first + lines.length - 1)));
  return ranges
    .map(({ first, lines }) => formatNumberedLines(lines, first, width))
    .join(`\n${' '.repeat(width)} | ...\n`);
}

export function formatFoldedLines(items: readonly FoldedItem[]): string {
  const last = items.at(-1);
  const width = lineNumberWidth(last?.kind === 'line' ? last.number : (last?.last ?? 0));
  return items
    .map((item) => {
      if (item.kind === 'line') return numberedLine(item.text, item.number, width);
      return `${' '.repeat(width)} | ... (lines ${item.first}-${item.last} · ${pluralize(item.tokens, 'token')})`;
    })
    .join('\n');
}

export function lineNumberWidth(last: number): number {
  return Math.max(2, String(last).length);
}

function numberedLine(line: string, number: number, width: number): string {
  const bar = `${String(number).padEnd(width)} |`;
  const shown = showLine(line, number);
  return shown === '' ? bar : `${bar} ${shown}`;
}

/**
 * Formats a line of a file for display. A `\r` inside a line is replaced, because markdown parsers treat it as a line ending and
 * it could forge a numbered line. The byte order mark is not part of the first line.
 */
export function showLine(line: string, number: number): string {
  const own = number === 1 && line.startsWith('\ufeff') ? line.slice(1) : line;
  return own.includes('\r') ? own.replaceAll('\r', '␍') : own;
}
