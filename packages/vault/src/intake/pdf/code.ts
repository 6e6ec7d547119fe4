import type { Line } from './line.ts';
import { median } from './run.ts';

/** Joins monospaced lines and restores their indentation. */
export function codeOf(lines: readonly Line[], leading: number): string {
  const left = Math.min(...lines.map((line) => line.left));
  const widths = lines.flatMap(({ runs }) => runs.map(({ width, text }) => width / text.length));
  const letter = median(widths) || 1;
  return lines
    .flatMap((line, index) => {
      const before = lines[index - 1];
      const isApart = before !== undefined && line.y - before.y > line.size * leading * 1.6;
      return isApart ? ['', codeLine(line, left, letter)] : [codeLine(line, left, letter)];
    })
    .join('\n');
}

function codeLine(line: Line, left: number, letter: number): string {
  return line.runs.reduce((text, run) => {
    const column = Math.round((run.x - left) / letter);
    return `${text.padEnd(column)}${run.text}`;
  }, '');
}
