import { styleText } from 'node:util';
import { toText } from '../contract/index.ts';
import type { ForgetLine } from '../contract/index.ts';
import type { Output } from './io.ts';
import { escapeForTerminal } from './print-outcome.ts';

const styles = { plain: [], place: ['cyan'], goes: ['red'], 'goes-too': ['bold', 'red'] } as const;
const defaultWidth = 80;

/** Prints the lines of a plan to forget. In a terminal, they are wrapped between words and continue below their own text. */
export function printForgetLines(stdout: Output, lines: readonly ForgetLine[]): void {
  for (const line of lines)
    stdout.write(stdout.isTTY === true ? formatForTerminal(stdout, line) : `${toText(line)}\n`);
}

function formatForTerminal(stdout: Output, { indent, parts }: ForgetLine): string {
  const width = stdout.columns || defaultWidth;
  const hanging = indent + 2;
  let column = indent;
  let printed = ' '.repeat(indent);
  for (const { text, style } of parts)
    for (const word of escapeForTerminal(text, stdout).match(/\s*\S+|\s+$/g) ?? []) {
      const isBroken = column > hanging && column + word.length > width;
      const shown = isBroken ? word.trimStart() : word;
      if (isBroken) printed += `\n${' '.repeat(hanging)}`;
      column = (isBroken ? hanging : column) + shown.length;
      printed += styleText([...styles[style]], shown, { stream: stdout });
    }
  return `${printed}\n`;
}
