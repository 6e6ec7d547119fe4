import { extractUserText, findFrontmatter } from '../vault/index.ts';
import type { FileChange } from './change.ts';

/** A change that may remove text. */
export type LeavingChange = Exclude<FileChange, { kind: 'create' }>;

type Sides = { before: string; after: string };

/** The text before and after, without the common lines at the start and the end. */
export function changedText(change: LeavingChange, isOverview: boolean): Sides {
  const words = (text: string): string => extractUserText(text, isOverview);
  if (change.kind === 'remove') return { before: words(change.before.toString()), after: '' };
  const [before, after] = [change.before.toString(), change.after.toString()];
  const cut = isOverview ? { before, after } : withoutCommonBody(before, after);
  return trimCommonLines(words(cut.before), words(cut.after));
}

/**
 * Trims the unchanged part of a long file, to save work. The frontmatter is kept, because its stamps nearly always change.
 */
function withoutCommonBody(before: string, after: string): Sides {
  const [start = 0, afterStart = 0] = [before, after].map((text) => findFrontmatter(text)?.bodyStart ?? 0);
  const body = trimCommonLines(before.slice(start), after.slice(afterStart));
  // Below a blank line, so that the body is not taken for frontmatter.
  return {
    before: `${before.slice(0, start)}\n${body.before}`,
    after: `${after.slice(0, afterStart)}\n${body.after}`,
  };
}

/** Trims the common lines at the start and the end. */
function trimCommonLines(before: string, after: string): Sides {
  const shorter = Math.min(before.length, after.length);
  const same = commonLength(before, after, shorter, (text, from, to) => text.slice(from, to));
  const start = before.slice(0, same).lastIndexOf('\n') + 1;
  const sameAtEnd = commonLength(before, after, shorter - start, (text, from, to) =>
    text.slice(text.length - to, text.length - from),
  );
  const newline = before.indexOf('\n', before.length - sameAtEnd);
  const end = newline < 0 ? 0 : before.length - newline;
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

/**
 * The number of equal characters from one end. Compares pieces of decreasing size, because comparing single characters
 * is too slow for long texts.
 */
function commonLength(
  a: string,
  b: string,
  most: number,
  piece: (text: string, from: number, to: number) => string,
): number {
  let same = 0;
  for (const size of [65_536, 4_096, 256, 16, 1])
    while (same + size <= most && piece(a, same, same + size) === piece(b, same, same + size)) same += size;
  return same;
}
