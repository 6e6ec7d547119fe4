import { styleText } from 'node:util';
import type { Output } from './io.ts';
import { escapeForTerminal } from './print-outcome.ts';
import { terminalWidth, wrapLine } from './wrap-line.ts';
import type { Line, Part, Style } from './wrap-line.ts';

const formats = {
  bold: 'bold',
  dim: 'dim',
  path: 'cyan',
  match: ['bold', 'yellow'],
  good: 'green',
  warning: 'yellow',
  bad: 'red',
  'bad-bold': ['bold', 'red'],
} as const satisfies Record<Style, Parameters<typeof styleText>[0]>;

/** Prints lines: in a terminal in color and wrapped between words, otherwise as they are. */
export function printLines(stdout: Output, lines: readonly Line[]): void {
  stdout.write(lines.map((line) => `${formatLine(stdout, line)}\n`).join(''));
}

function formatLine(stdout: Output, line: Line): string {
  if (stdout.isTTY !== true)
    return `${' '.repeat(line.indent ?? 0)}${line.parts.map(({ text }) => text).join('')}`;
  const parts = line.parts.map((part) => ({ ...part, text: escapeForTerminal(part.text, stdout) }));
  return wrapLine({ ...line, parts }, terminalWidth(stdout))
    .map((row) => row.map((part) => formatPart(stdout, part)).join(''))
    .join('\n');
}

function formatPart(stdout: Output, { text, style }: Part): string {
  return style === undefined ? text : styleText(formats[style], text, { stream: stdout });
}
