import { forEachChunk } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import { findFrontmatter, maxFrontmatterCharacters } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import { createOutlineParser } from './outline.ts';
import { decodeText, completeUtf8Length } from './decode-text.ts';
import type { NotText } from './decode-text.ts';

/** A shown line, or a range of hidden lines. */
export type FoldedItem =
  | { kind: 'line'; number: number; text: string }
  | { kind: 'folded'; first: number; last: number; tokens: number };

export type Folded = { kind: 'folded'; items: FoldedItem[] };

/** Above this number of items, folding does not make a file easier to read. */
const maxFoldedItems = 100_000;

/** Shows frontmatter, H1 and H2, and counts the lines below them. Works on a file of any size. */
export async function foldMarkdown(
  source: ByteSource,
): Promise<Folded | NotText | { kind: 'too-many-headings' }> {
  const start = await source.read(0, maxFrontmatterCharacters * 4);
  const opening = decodeText(
    start.subarray(0, start.length < source.size ? completeUtf8Length(start) : start.length),
  );
  if (opening.kind === 'not-text') return opening;
  const frontmatter = findFrontmatter(opening.text);
  const shownAtTop = splitLines(opening.text.slice(0, frontmatter?.bodyStart ?? 0)).length;

  const folding = createFoldBuilder(shownAtTop);
  await eachLine(source, (text, length) => folding.add(text, length));
  const items = folding.finish();
  return items === null ? { kind: 'too-many-headings' } : { kind: 'folded', items };
}

function createFoldBuilder(shownAtTop: number): {
  /** Returns false once the maximum number of items is exceeded. */
  add(text: string, length: number): boolean;
  finish(): FoldedItem[] | null;
} {
  const items: FoldedItem[] = [];
  const outline = createOutlineParser();
  let number = 0;
  let hidden: { text: string; length: number }[] = [];
  let hiddenBefore = { lines: 0, length: 0, blank: true };

  // Only the last lines can still become an underlined (setext) heading, so only they are kept.
  const flushHidden = (keep: number): void => {
    for (const { text, length } of hidden.splice(0, hidden.length - keep)) {
      hiddenBefore = {
        lines: hiddenBefore.lines + 1,
        length: hiddenBefore.length + length,
        blank: hiddenBefore.blank && text.trim() === '',
      };
    }
  };
  const emitFolded = (last: number): void => {
    if (!hiddenBefore.blank) {
      items.push({
        kind: 'folded',
        first: last - hiddenBefore.lines + 1,
        last,
        tokens: Math.ceil(hiddenBefore.length / 4),
      });
    }
    hiddenBefore = { lines: 0, length: 0, blank: true };
  };

  return {
    add(text, length) {
      number += 1;
      if (number <= shownAtTop) {
        items.push({ kind: 'line', number, text });
        return true;
      }
      hidden.push({ text, length });
      const { heading } = outline(number === 1 ? text.replace(/^\ufeff/, '') : text);
      const headingLines = heading !== null && heading.level <= 2 ? heading.lines : 0;
      flushHidden(headingLines > 0 ? headingLines : 10);
      if (headingLines === 0) return true;
      emitFolded(number - hidden.length);
      const first = number - hidden.length + 1;
      for (const [index, line] of hidden.entries())
        items.push({ kind: 'line', number: first + index, text: line.text });
      hidden = [];
      return items.length <= maxFoldedItems;
    },
    finish() {
      flushHidden(0);
      emitFolded(number);
      return items.length <= maxFoldedItems ? items : null;
    },
  };
}

const maxLineCharacters = 64 * 1024;

/**
 * Calls `visit` with the text of every line (without line ending, truncated if very long) and its full length with the
 * ending.
 */
async function eachLine(source: ByteSource, visit: (text: string, length: number) => boolean): Promise<void> {
  let bytes: Buffer = Buffer.alloc(0);
  let cutText: string | null = null;
  let cutLength = 0;
  const finishLine = (line: string): boolean => {
    const text = cutText ?? line.replace(/\r?\n$/, '');
    const shown = text.length > maxLineCharacters ? `${text.slice(0, maxLineCharacters)}…` : text;
    const shouldContinue = visit(shown, cutLength + line.length);
    cutText = null;
    cutLength = 0;
    return shouldContinue;
  };
  let shouldContinue = true;
  await forEachChunk(source, (chunk) => {
    bytes = bytes.length > 0 ? Buffer.concat([bytes, chunk]) : chunk;
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0 && shouldContinue; at = bytes.indexOf(10, from)) {
      shouldContinue = finishLine(bytes.toString('utf8', from, at + 1));
      from = at + 1;
    }
    bytes = Buffer.from(bytes.subarray(from));
    if (bytes.length > maxLineCharacters) {
      const whole = completeUtf8Length(bytes);
      const text = bytes.toString('utf8', 0, whole);
      cutText ??= text;
      cutLength += text.length;
      bytes = bytes.subarray(whole);
    }
    return shouldContinue;
  });
  if (shouldContinue && (bytes.length > 0 || cutText !== null)) finishLine(bytes.toString('utf8'));
}
