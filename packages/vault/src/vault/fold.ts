import { eachChunk } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import { findFrontmatter, largestFrontmatter } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import { startOutline } from './outline.ts';
import { decodeText, wholeCharacters } from './text.ts';
import type { NotText } from './text.ts';

/** A line that is shown, or lines that are not. */
export type FoldedItem =
  | { kind: 'line'; number: number; text: string }
  | { kind: 'folded'; first: number; last: number; tokens: number };

export type Folded = { kind: 'folded'; items: FoldedItem[] };

/** A file with more to show than this is no longer easier to take in folded. */
const mostItems = 100_000;

/** Frontmatter, H1 and H2; everything under them is only counted. Works on a file of any size. */
export async function foldSource(
  source: ByteSource,
): Promise<Folded | NotText | { kind: 'too-many-headings' }> {
  const start = await source.read(0, largestFrontmatter * 4);
  const opening = decodeText(
    start.subarray(0, start.length < source.size ? wholeCharacters(start) : start.length),
  );
  if (opening.kind === 'not-text') return opening;
  const frontmatter = findFrontmatter(opening.text);
  const shownAtTop = splitLines(opening.text.slice(0, frontmatter?.bodyStart ?? 0)).length;

  const folding = startFolding(shownAtTop);
  await eachLine(source, (text, length) => folding.add(text, length));
  const items = folding.finish();
  return items === null ? { kind: 'too-many-headings' } : { kind: 'folded', items };
}

function startFolding(shownAtTop: number): {
  /** False once there is more than could be shown. */
  add(text: string, length: number): boolean;
  finish(): FoldedItem[] | null;
} {
  const items: FoldedItem[] = [];
  const outline = startOutline();
  let number = 0;
  let hidden: { text: string; length: number }[] = [];
  let hiddenBefore = { lines: 0, length: 0, blank: true };

  // Only the last lines can turn out to be a heading (when they are underlined), so only they are kept.
  const settle = (keep: number): void => {
    for (const { text, length } of hidden.splice(0, hidden.length - keep)) {
      hiddenBefore = {
        lines: hiddenBefore.lines + 1,
        length: hiddenBefore.length + length,
        blank: hiddenBefore.blank && text.trim() === '',
      };
    }
  };
  const close = (last: number): void => {
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
      const ofHeading = heading !== null && heading.level <= 2 ? heading.lines : 0;
      settle(ofHeading > 0 ? ofHeading : 10);
      if (ofHeading === 0) return true;
      close(number - hidden.length);
      const first = number - hidden.length + 1;
      for (const [index, line] of hidden.entries())
        items.push({ kind: 'line', number: first + index, text: line.text });
      hidden = [];
      return items.length <= mostItems;
    },
    finish() {
      settle(0);
      close(number);
      return items.length <= mostItems ? items : null;
    },
  };
}

const longestShown = 64 * 1024;

/** Every line without its end (a very long one cut short) and its whole length, end included. */
async function eachLine(source: ByteSource, visit: (text: string, length: number) => boolean): Promise<void> {
  let bytes: Buffer = Buffer.alloc(0);
  let cutText: string | null = null;
  let cutLength = 0;
  const finishLine = (line: string): boolean => {
    const text = cutText ?? line.replace(/\r?\n$/, '');
    const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
    const goesOn = visit(shown, cutLength + line.length);
    cutText = null;
    cutLength = 0;
    return goesOn;
  };
  let goesOn = true;
  await eachChunk(source, (chunk) => {
    bytes = bytes.length > 0 ? Buffer.concat([bytes, chunk]) : chunk;
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0 && goesOn; at = bytes.indexOf(10, from)) {
      goesOn = finishLine(bytes.toString('utf8', from, at + 1));
      from = at + 1;
    }
    bytes = Buffer.from(bytes.subarray(from));
    if (bytes.length > longestShown) {
      const whole = wholeCharacters(bytes);
      const text = bytes.toString('utf8', 0, whole);
      cutText ??= text;
      cutLength += text.length;
      bytes = bytes.subarray(whole);
    }
    return goesOn;
  });
  if (goesOn && (bytes.length > 0 || cutText !== null)) finishLine(bytes.toString('utf8'));
}
