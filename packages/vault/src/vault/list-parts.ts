import { splitLines } from './lines.ts';
import { createOutlineParser } from './outline.ts';

/**
 * An independent part of a text: a day of a changelog with its entries, a task, or a frontmatter field. `lines` have no
 * line endings and no trailing blank lines; `blankLinesAfter` is the number of the latter, or null for the last part.
 */
export type ListPart = {
  heading: string;
  lines: string[];
  blankLinesAfter: number | null;
  parts: ListPart[];
};

/** Splits the body of a list note at its H1 headings, or at H1 and H2. The first part has no heading. */
export function parseListParts(body: string, levels: 1 | 2): ListPart[] {
  const outline = createOutlineParser();
  let current = open('');
  const parts: ListPart[] = [current];
  for (const line of splitLines(body)) {
    const { heading } = outline(line);
    // An underlined (setext) heading does not start a part, because its text was already added to the part above.
    if (heading !== null && heading.lines === 1 && heading.level <= levels) {
      current = open(heading.text);
      (heading.level === 1 ? parts : (parts.at(-1)?.parts ?? parts)).push(current);
    }
    current.lines.push(line);
  }
  return closed(parts);
}

/** Splits frontmatter into its fields; comments belong to the field below them. */
export function parseFieldParts(yaml: string): ListPart[] {
  const parts: ListPart[] = [];
  let above: string[] = [];
  for (const line of splitLines(yaml)) {
    const key = /^([^\s#:][^:]*):(?:\s|$)/.exec(line)?.[1];
    if (key !== undefined) {
      parts.push({ ...open(key), lines: [...above, line] });
      above = [];
    } else if (line.startsWith('#')) above.push(line);
    else {
      const last = parts.at(-1) ?? open('');
      if (parts.length === 0) parts.push(last);
      last.lines.push(...above, line);
      above = [];
    }
  }
  if (above.length > 0) parts.push({ ...open('#'), lines: above });
  return parts.map((part) => ({ ...part, blankLinesAfter: 0 }));
}

/** Joins the parts into lines without line endings. */
export function formatParts(parts: readonly ListPart[]): string[] {
  const flat = parts.flatMap(flatten).filter(({ lines }) => lines.length > 0);
  return flat.flatMap(({ lines, blankLinesAfter }, index) =>
    index === flat.length - 1 ? lines : [...lines, ...Array<string>(blankLinesAfter ?? 1).fill('')],
  );
}

function flatten(part: ListPart): ListPart[] {
  return [part, ...part.parts.flatMap(flatten)];
}

function open(heading: string): ListPart {
  return { heading, lines: [], blankLinesAfter: 0, parts: [] };
}

/** Replaces the trailing blank lines of each part with their number. */
function closed(parts: readonly ListPart[]): ListPart[] {
  const all = parts.flatMap(flatten);
  for (const [index, part] of all.entries()) {
    const length = part.lines.findLastIndex((line) => line.trim() !== '') + 1;
    part.blankLinesAfter = index === all.length - 1 ? null : part.lines.length - length;
    part.lines.length = length;
  }
  return [...parts];
}
