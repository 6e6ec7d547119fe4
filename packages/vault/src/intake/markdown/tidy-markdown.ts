import { plainSpaces } from './clean-text.ts';
import { numberOf, withoutNumberEscape } from './escape-markdown.ts';

/** Stands for a line break until it is known whether something follows it. `cleanText` leaves none in a text. */
export const lineBreak = '\uE000';

type Line = { text: string; isCode: boolean };

/** One blank line between blocks, no trailing or doubled spaces, plain spaces only. Code keeps its spaces. */
export function tidyMarkdown(markdown: string): string {
  const lines = readLines(endBreaks(markdown));
  return easeNumbers(lines.filter(({ text }, index) => text !== '' || keepsBlank(lines, index)))
    .join('\n')
    .trim();
}

function keepsBlank(lines: Line[], index: number): boolean {
  return lines[index]?.isCode === true || (lines[index - 1]?.text ?? '') !== '';
}

/** A break before a blank line breaks nothing, and two are a paragraph. */
function endBreaks(markdown: string): string {
  return markdown
    .replaceAll(/\uE000\n(?:[ >]*\uE000\n)+/g, '\n\n')
    .replaceAll(/\uE000(?=\s*$|\n[ >]*\n)/g, '')
    .replaceAll(/^([ >]*)\uE000$/gm, '$1')
    .replaceAll(/[ \u00A0]*\uE000/g, '\\');
}

function readLines(markdown: string): Line[] {
  let fence = '';
  return markdown.split('\n').map((raw): Line => {
    const mark = /^\s*(?:> ?|- |\d+\. )*(`{3,}|~{3,})/.exec(raw)?.[1] ?? '';
    if (fence === '') {
      fence = mark;
      return { text: tidyLine(raw), isCode: mark !== '' };
    }
    if (mark.startsWith(fence) && raw.trimEnd().endsWith(mark)) fence = '';
    return { text: plainSpaces(raw).trimEnd(), isCode: true };
  });
}

function tidyLine(line: string): string {
  const [indent = ''] = /^(?: *(?:> ?|- |\d+\. ))* */.exec(line) ?? [];
  const words = plainSpaces(line.slice(indent.length))
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/(?<=[^\s*\\])\*{4}(?=[^\s*])/g, '');
  return `${indent}${words.trim()}`.trimEnd();
}

/** `3\. Price` keeps its backslash only where its neighbours would give it another number. */
function easeNumbers(lines: Line[]): string[] {
  const starts = lines.filter(({ text }) => text !== '' && !text.startsWith('  '));
  const numbers = starts.map(({ text, isCode }) => (isCode ? undefined : numberOf(text)));
  const eased = new Set(
    starts.filter((_, index) => {
      const number = numbers[index];
      if (number === undefined) return false;
      const [before = number - 1, after = number + 1] = [numbers[index - 1], numbers[index + 1]];
      return before === number - 1 && after === number + 1;
    }),
  );
  return lines.map((line) => (eased.has(line) ? withoutNumberEscape(line.text) : line.text));
}
