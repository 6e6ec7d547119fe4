import { diffLines, internLines } from '../../contract/index.ts';

/** A part of a line; marked if it differs from the other line. */
export type DiffPart = { text: string; isChanged: boolean };

/** Longer lines are not compared word by word. */
const maxWords = 400;
/** Lines with less than this share in common are unrelated, and marking all of their words would not help. */
const minCommonShare = 0.3;

/** Marks the words in which two lines differ; null if marks would not help. */
export function diffWords(before: string, after: string): { before: DiffPart[]; after: DiffPart[] } | null {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  if (old.length > maxWords || fresh.length > maxWords) return null;
  const [oldNumbers, freshNumbers] = internLines(old, fresh);
  if (oldNumbers === undefined || freshNumbers === undefined) return null;
  const { edits } = diffLines(oldNumbers, freshNumbers);
  const parts = (words: readonly string[], side: 'old' | 'new'): DiffPart[] => {
    const found: DiffPart[] = [];
    let at = 0;
    const add = (end: number, isChanged: boolean): void => {
      if (end > at) found.push({ text: words.slice(at, end).join(''), isChanged });
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
    .filter(({ isChanged }) => !isChanged)
    .reduce((sum, { text }) => sum + text.trim().length, 0);
  return common < minCommonShare * Math.max(before.length, after.length)
    ? null
    : { before: left, after: right };
}

/** Splits a line into words, whitespace and single punctuation characters. */
function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}
