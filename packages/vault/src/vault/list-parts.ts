import { splitLines } from './lines.ts';
import { startOutline } from './outline.ts';

/**
 * A piece of a text that stands for itself: a day of a changelog with its entries, a task, a field of a frontmatter. Its lines are
 * without ends and without the blank ones below, of which there are `gap`; null below the last one, where nobody counts.
 */
export type ListPart = { heading: string; lines: string[]; gap: number | null; parts: ListPart[] };

/** The body of a note that is a list, by its headings of the first level, or of the first and second. The first part has no heading. */
export function listParts(body: string, levels: 1 | 2): ListPart[] {
  const outline = startOutline();
  let current = open('');
  const parts: ListPart[] = [current];
  for (const line of splitLines(body)) {
    const { heading } = outline(line);
    // The text of an underlined heading has been read already, as a line of what is above it.
    if (heading !== null && heading.lines === 1 && heading.level <= levels) {
      current = open(heading.text);
      (heading.level === 1 ? parts : (parts.at(-1)?.parts ?? parts)).push(current);
    }
    current.lines.push(line);
  }
  return closed(parts);
}

/** The fields of a frontmatter; comments belong to the field below them. */
export function fieldParts(yaml: string): ListPart[] {
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
  return parts.map((part) => ({ ...part, gap: 0 }));
}

/** The text of these parts, lines without ends. */
export function linesOfParts(parts: readonly ListPart[]): string[] {
  const flat = parts.flatMap(flatten).filter(({ lines }) => lines.length > 0);
  return flat.flatMap(({ lines, gap }, index) =>
    index === flat.length - 1 ? lines : [...lines, ...Array<string>(gap ?? 1).fill('')],
  );
}

function flatten(part: ListPart): ListPart[] {
  return [part, ...part.parts.flatMap(flatten)];
}

function open(heading: string): ListPart {
  return { heading, lines: [], gap: 0, parts: [] };
}

/** The blank lines at the end of each part are only counted. */
function closed(parts: readonly ListPart[]): ListPart[] {
  const all = parts.flatMap(flatten);
  for (const [index, part] of all.entries()) {
    const length = part.lines.findLastIndex((line) => line.trim() !== '') + 1;
    part.gap = index === all.length - 1 ? null : part.lines.length - length;
    part.lines.length = length;
  }
  return [...parts];
}
