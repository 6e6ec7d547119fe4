import type { ForgetLine } from '../contract/index.ts';
import type { Output } from './io.ts';
import { printLines } from './print-lines.ts';
import type { Style } from './wrap-line.ts';

const styles: Record<ForgetLine['parts'][number]['style'], Style | undefined> = {
  plain: undefined,
  place: 'path',
  goes: 'bad',
  'goes-too': 'bad-bold',
};

/** Prints the lines of a plan to forget. In a terminal, they continue below their own text. */
export function printForgetLines(stdout: Output, lines: readonly ForgetLine[]): void {
  printLines(
    stdout,
    lines.map(({ indent, parts }) => ({
      indent,
      hanging: indent + 2,
      parts: parts.map(({ text, style }) => ({ text, style: styles[style] })),
    })),
  );
}
