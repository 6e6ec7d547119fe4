import type { FoldedItem } from '../fold.ts';
import { count } from './quantities.ts';

/** `9  | text`, one per line: the one way in which Keepsake shows lines, always with the file's own numbers. */
export function numberedLines(lines: readonly string[], first: number): string {
  const width = numberWidth(first + lines.length - 1);
  return lines.map((line, index) => numberedLine(line, first + index, width)).join('\n');
}

export function foldedLines(items: readonly FoldedItem[]): string {
  const last = items.at(-1);
  const width = numberWidth(last?.kind === 'line' ? last.number : (last?.last ?? 0));
  return items
    .map((item) => {
      if (item.kind === 'line') return numberedLine(item.text, item.number, width);
      return `${' '.repeat(width)} | ... (lines ${item.first}-${item.last} · ${count(item.tokens, 'token')})`;
    })
    .join('\n');
}

export function numberWidth(last: number): number {
  return Math.max(2, String(last).length);
}

function numberedLine(line: string, number: number, width: number): string {
  const bar = `${String(number).padEnd(width)} |`;
  const shown = showLine(line, number);
  return shown === '' ? bar : `${bar} ${shown}`;
}

/**
 * A line of a file as it is shown. Inside a line a `\r` would be a line end for markdown readers, and could forge a
 * numbered line. The byte order mark of a file is no part of its first line.
 */
export function showLine(line: string, number: number): string {
  const own = number === 1 && line.startsWith('\ufeff') ? line.slice(1) : line;
  return own.includes('\r') ? own.replaceAll('\r', '␍') : own;
}
