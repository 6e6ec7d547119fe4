import { extractUserText, computeRevision } from '../vault/index.ts';
import type { Layout, Revision, VaultPath } from '../vault/index.ts';
import type { FileChange } from './change.ts';
import { changedText } from './changed-text.ts';
import type { LeavingChange } from './changed-text.ts';
import { countOccurrences } from './count-occurrences.ts';

/** The text that a change removes from one file. */
export type RemovedText = {
  path: VaultPath;
  /** The number of word characters in the file, and how many of them no longer occur anywhere after the change. */
  totalCharacters: number;
  removedCharacters: number;
  /** Whether the file, or more than half of its text, was removed and not moved elsewhere. */
  isMostlyRemoved: boolean;
};

/**
 * The text that these changes remove, file by file; files that lose nothing are omitted. Text that is moved, joined, split
 * or rewrapped is not removed, and each piece is matched only once. Moving text into the inbox counts as removing it,
 * because inbox items are deleted once they are answered.
 */
export function findRemovedText(
  changes: readonly FileChange[],
  { isOverview, isInInbox }: Layout,
): RemovedText[] {
  if (changes.every(({ kind }) => kind === 'create')) return [];
  const outside = changes.filter(({ path }) => !isInInbox(path));
  const inside = changes.filter(({ path }) => isInInbox(path));
  return [...removedFrom(outside, outside, isOverview), ...removedFrom(inside, changes, isOverview)];
}

function removedFrom(
  from: readonly FileChange[],
  to: readonly FileChange[],
  isOverview: Layout['isOverview'],
): RemovedText[] {
  const { leaving, arriving } = excludeMoves(from, to);
  if (leaving.length === 0) return [];
  const texts = leaving.map((change) => changedText(change, isOverview(change.path)));
  const isLeaving = new Set<FileChange>(leaving);
  // A change that only adds removes nothing, however long it is.
  const hasWords = texts.some(({ before }) => before.search(word) >= 0);
  const created = arriving.flatMap((each) =>
    !hasWords || each.kind === 'remove' || isLeaving.has(each)
      ? []
      : [extractUserText(each.after.toString(), isOverview(each.path))],
  );
  const afters = [...texts.map(({ after }) => after), ...created];
  const isLong = leaving.reduce((sum, { before }) => sum + before.length, 0) > maxComparedCharacters;
  const removed = charactersMissing(
    texts.map(({ before }) => before),
    afters,
  );
  return leaving.flatMap((change, index) => {
    const missing = removed[index] ?? 0;
    if (change.kind === 'replace' && missing === 0) return [];
    const whole =
      change.kind === 'remove'
        ? texts[index]?.before
        : extractUserText(change.before.toString(), isOverview(change.path));
    const totalCharacters = countWordCharacters(whole ?? '', isLong);
    const isMostlyRemoved =
      change.kind === 'remove' ? totalCharacters === 0 || missing > 0 : missing > totalCharacters / 2;
    return missing > 0 || isMostlyRemoved
      ? [{ path: change.path, totalCharacters, removedCharacters: missing, isMostlyRemoved }]
      : [];
  });
}

/** Excludes files that were moved without changes. */
function excludeMoves(
  from: readonly FileChange[],
  to: readonly FileChange[],
): { leaving: LeavingChange[]; arriving: FileChange[] } {
  const created = new Map<Revision, FileChange[]>();
  for (const each of to)
    if (each.kind === 'create') {
      const revision = computeRevision(each.after);
      created.set(revision, [...(created.get(revision) ?? []), each]);
    }
  const moved = new Set<FileChange>();
  const leaving = from.filter((each): each is LeavingChange => {
    const target = each.kind === 'remove' ? created.get(computeRevision(each.before))?.pop() : undefined;
    if (target !== undefined) moved.add(target);
    return each.kind !== 'create' && target === undefined;
  });
  return { leaving, arriving: to.filter((each) => !moved.has(each)) };
}

const betweenWords = /[^\p{L}\p{N}\p{M}\p{So}]+/gu;
/** Scripts without spaces between words are compared character by character. */
const word =
  /[\p{Ideographic}\p{scx=Hiragana}\p{scx=Katakana}]|[[\p{L}\p{N}\p{M}\p{So}]--[\p{Ideographic}\p{scx=Hiragana}\p{scx=Katakana}]]+/gv;
/** The number of consecutive words that must match: the same words in another order are a different text. */
const shingleWords = 3;
/** The maximum length for a word-by-word comparison, in characters. */
const maxComparedCharacters = 1_000_000;

/**
 * Counts word characters. In the approximate mode, every non-ASCII character counts, because checking each of them is too
 * slow.
 */
function countWordCharacters(text: string, isApproximate: boolean): number {
  if (!isApproximate) return text.replaceAll(betweenWords, '').length;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) count += isWordCharacter(text.charCodeAt(at)) ? 1 : 0;
  return count;
}

function isWordCharacter(code: number): boolean {
  // 0 to 9, A to Z, a to z
  return (
    code > 0x7f ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a)
  );
}

/** The number of characters of each text that are in none of the others: matches whole lines first, then runs of words. */
function charactersMissing(texts: readonly string[], others: readonly string[]): number[] {
  const apart = excludeCommonLines(texts, others);
  if (lengthOf([...apart.texts.flat(), ...apart.others]) > maxComparedCharacters)
    return apart.texts.map((left) => countWordCharacters(left.join('\n'), true));
  const lines = countOccurrences(apart.others.flatMap(wordsOf));
  const unfound = apart.texts.map((left) => left.flatMap(wordsOf).filter((line) => !takeOne(lines, line)));
  const pool = createShinglePool(allOf(lines).join(' ').split(' '));
  return unfound.map((left) => {
    const words = left.join(' ').split(' ');
    return lengthOf(words) - pool.take(words);
  });
}

/** Excludes lines that both sides have: most lines are unchanged and need no word-by-word comparison. */
function excludeCommonLines(
  texts: readonly string[],
  others: readonly string[],
): { texts: string[][]; others: string[] } {
  const lines = countOccurrences(others.flatMap((text) => text.split('\n')));
  const left = texts.map((text) => text.split('\n').filter((line) => !takeOne(lines, line)));
  return { texts: left, others: allOf(lines) };
}

/** Returns the words of a line as one string, joined by single spaces, or an empty array if it has no words. */
function wordsOf(line: string): string[] {
  const words = line.match(word);
  return words === null ? [] : [words.join(' ')];
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function allOf(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].flatMap(([line, count]) => Array<string>(count).fill(line));
}

/** A pool of word sequences, each of which can be matched only once. */
function createShinglePool(words: readonly string[]): { take(text: readonly string[]): number } {
  const rows = countOccurrences(shingles(words));
  // Shingles overlap, so they could cover more characters than there are.
  let left = lengthOf(words);
  return {
    take(text) {
      const isFound = new Set<number>();
      for (const [index, row] of shingles(text).entries())
        if (takeOne(rows, row)) for (let at = index; at < index + shingleWords; at += 1) isFound.add(at);
      const found = [...isFound].reduce((sum, at) => sum + (text[at]?.length ?? 0), 0);
      const takenLength = Math.min(found, left);
      left -= takenLength;
      return takenLength;
    },
  };
}

function shingles(words: readonly string[]): string[] {
  return words.length < shingleWords
    ? []
    : words.slice(shingleWords - 1).map((_, index) => words.slice(index, index + shingleWords).join(' '));
}

function takeOne<Key>(counts: Map<Key, number>, key: Key): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}
