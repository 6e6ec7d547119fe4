import { normalizeSpaces } from './clean-text.ts';
import { listNumber, unescapeListNumber } from './escape-markdown.ts';

/** Placeholder for a line break until it is known whether something follows it. `cleanText` removes this character from texts. */
export const lineBreak = '\uE000';

type Line = { text: string; isCode: boolean };

/** Leaves one blank line between blocks and only single, plain spaces, none at the end of a line. Code keeps its spaces. */
export function tidyMarkdown(markdown: string): string {
  const lines = readLines(resolveLineBreaks(markdown));
  return removeNumberEscapes(
    lines.filter(({ text }, index) => text !== '' || isBlankLineNeeded(lines, index)),
  )
    .join('\n')
    .trim();
}

function isBlankLineNeeded(lines: Line[], index: number): boolean {
  return lines[index]?.isCode === true || (lines[index - 1]?.text ?? '') !== '';
}

/** Drops a break before a blank line, and turns two breaks into a paragraph. */
function resolveLineBreaks(markdown: string): string {
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
    return { text: normalizeSpaces(raw).trimEnd(), isCode: true };
  });
}

function tidyLine(line: string): string {
  const [indent = ''] = /^(?: *(?:> ?|- |\d+\. ))* */.exec(line) ?? [];
  const words = normalizeSpaces(line.slice(indent.length))
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/(?<=[^\s*\\])\*{4}(?=[^\s*])/g, '');
  return `${indent}${words.trim()}`.trimEnd();
}

/** Removes the backslash of `3\. Price`, unless the line would then be renumbered as part of a list. */
function removeNumberEscapes(lines: Line[]): string[] {
  const starts = lines.filter(({ text }) => text !== '' && !text.startsWith('  '));
  const numbers = starts.map(({ text, isCode }) => (isCode ? undefined : listNumber(text)));
  const eased = new Set(
    starts.filter((_, index) => {
      const number = numbers[index];
      if (number === undefined) return false;
      const [before = number - 1, after = number + 1] = [numbers[index - 1], numbers[index + 1]];
      return before === number - 1 && after === number + 1;
    }),
  );
  return lines.map((line) => (eased.has(line) ? unescapeListNumber(line.text) : line.text));
}
