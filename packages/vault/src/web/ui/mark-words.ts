import { compareLines, numberLines } from '../../contract/index.ts';

/** A part of a line; marked where it differs from the line beside it. */
export type Part = { text: string; isMarked: boolean };

/** Longer lines are compared as a whole. */
const mostWords = 400;
/** Lines that have less than this in common are others, and marking every word of them would say nothing. */
const leastCommon = 0.3;

/** Which words of two lines differ; null where marks would not help. */
export function markWords(before: string, after: string): { before: Part[]; after: Part[] } | null {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  if (old.length > mostWords || fresh.length > mostWords) return null;
  const [oldNumbers, freshNumbers] = numberLines(old, fresh);
  if (oldNumbers === undefined || freshNumbers === undefined) return null;
  const { edits } = compareLines(oldNumbers, freshNumbers);
  const parts = (words: readonly string[], side: 'old' | 'new'): Part[] => {
    const found: Part[] = [];
    let at = 0;
    const add = (end: number, isMarked: boolean): void => {
      if (end > at) found.push({ text: words.slice(at, end).join(''), isMarked });
      at = end;
    };
    for (const edit of edits) {
      add(edit[side].start, false);
      add(edit[side].end, true);
    }
    add(words.length, false);
    return found;
  };
  const [left, right] = [parts(old, 'old'), parts(fresh, 'new')];
  const common = left
    .filter(({ isMarked }) => !isMarked)
    .reduce((sum, { text }) => sum + text.trim().length, 0);
  return common < leastCommon * Math.max(before.length, after.length) ? null : { before: left, after: right };
}

/** Words, and what is between them. */
function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}
