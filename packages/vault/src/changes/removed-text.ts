import { findFrontmatter, isInInbox, ownWords, revisionOf } from '../vault/index.ts';
import type { Layout, Revision, VaultPath } from '../vault/index.ts';
import type { FileChange } from './change.ts';
import { countEach } from './count-each.ts';

/** What a change takes from one file. */
export type Removed = {
  path: VaultPath;
  /** Characters of words: those that the file had, and those of them that are nowhere in what the change leaves. */
  had: number;
  removed: number;
  /** Whether the file, or more than half of its text, is gone and lies nowhere else. */
  isLost: boolean;
};

type Leaving = Exclude<FileChange, { kind: 'create' }>;

/**
 * What these changes remove, file by file; files that lose nothing are left out. Text that is moved, joined, split or
 * wrapped anew is not removed, and each piece of it is found once. The inbox is no place to keep what lay elsewhere: what
 * is moved there goes with the answer.
 */
export function removedText(changes: readonly FileChange[], { isOverview }: Layout): Removed[] {
  if (changes.every(({ kind }) => kind === 'create')) return [];
  const outside = changes.filter(({ path }) => !isInInbox(path));
  const inside = changes.filter(({ path }) => isInInbox(path));
  return [...removedFrom(outside, outside, isOverview), ...removedFrom(inside, changes, isOverview)];
}

function removedFrom(
  from: readonly FileChange[],
  to: readonly FileChange[],
  isOverview: Layout['isOverview'],
): Removed[] {
  const { leaving, arriving } = withoutMoves(from, to);
  if (leaving.length === 0) return [];
  const texts = leaving.map((change) => changedText(change, isOverview(change.path)));
  const isLeaving = new Set<FileChange>(leaving);
  // What only adds takes nothing away, however long it is.
  const hasWords = texts.some(({ before }) => before.search(word) >= 0);
  const created = arriving.flatMap((each) =>
    !hasWords || each.kind === 'remove' || isLeaving.has(each)
      ? []
      : [ownWords(each.after.toString(), isOverview(each.path))],
  );
  const afters = [...texts.map(({ after }) => after), ...created];
  const isLong = leaving.reduce((sum, { before }) => sum + before.length, 0) > mostCompared;
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
        : ownWords(change.before.toString(), isOverview(change.path));
    const had = countSigns(whole ?? '', isLong);
    const isLost = change.kind === 'remove' ? had === 0 || missing > 0 : missing > had / 2;
    return missing > 0 || isLost ? [{ path: change.path, had, removed: missing, isLost }] : [];
  });
}

/** Without files that only lie elsewhere now, byte for byte. */
function withoutMoves(
  from: readonly FileChange[],
  to: readonly FileChange[],
): { leaving: Leaving[]; arriving: FileChange[] } {
  const created = new Map<Revision, FileChange[]>();
  for (const each of to)
    if (each.kind === 'create') {
      const revision = revisionOf(each.after);
      created.set(revision, [...(created.get(revision) ?? []), each]);
    }
  const moved = new Set<FileChange>();
  const leaving = from.filter((each): each is Leaving => {
    const target = each.kind === 'remove' ? created.get(revisionOf(each.before))?.pop() : undefined;
    if (target !== undefined) moved.add(target);
    return each.kind !== 'create' && target === undefined;
  });
  return { leaving, arriving: to.filter((each) => !moved.has(each)) };
}

type Sides = { before: string; after: string };

/** The words before and after, without the lines that both begin and end with. */
function changedText(change: Leaving, isOverview: boolean): Sides {
  const words = (text: string): string => ownWords(text, isOverview);
  if (change.kind === 'remove') return { before: words(change.before.toString()), after: '' };
  const [before, after] = [change.before.toString(), change.after.toString()];
  const cut = isOverview ? { before, after } : withoutCommonBody(before, after);
  return withoutCommonEnds(words(cut.before), words(cut.after));
}

/** Most of a long file stays, and is no work then. Stamps nearly never do, so what stands above the body is left alone. */
function withoutCommonBody(before: string, after: string): Sides {
  const [start = 0, afterStart = 0] = [before, after].map((text) => findFrontmatter(text)?.bodyStart ?? 0);
  const body = withoutCommonEnds(before.slice(start), after.slice(afterStart));
  // Below an empty line, so that nothing in it is taken for a frontmatter.
  return {
    before: `${before.slice(0, start)}\n${body.before}`,
    after: `${after.slice(0, afterStart)}\n${body.after}`,
  };
}

/** Without the lines that both begin and end with. */
function withoutCommonEnds(before: string, after: string): Sides {
  const shorter = Math.min(before.length, after.length);
  const same = sameSigns(before, after, shorter, (text, from, to) => text.slice(from, to));
  const start = before.slice(0, same).lastIndexOf('\n') + 1;
  const sameAtEnd = sameSigns(before, after, shorter - start, (text, from, to) =>
    text.slice(text.length - to, text.length - from),
  );
  const newline = before.indexOf('\n', before.length - sameAtEnd);
  const end = newline < 0 ? 0 : before.length - newline;
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

/** How many signs are the same, in pieces that become smaller and smaller: one by one takes too long for long texts. */
function sameSigns(
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

const betweenWords = /[^\p{L}\p{N}\p{M}\p{So}]+/gu;
/** Scripts without blanks between words are compared sign by sign. */
const word =
  /[\p{Ideographic}\p{scx=Hiragana}\p{scx=Katakana}]|[[\p{L}\p{N}\p{M}\p{So}]--[\p{Ideographic}\p{scx=Hiragana}\p{scx=Katakana}]]+/gv;
/** Words in a row that must be found again: the same words in another order are another text. */
const inARow = 3;
/** Characters beyond which a text is too long to be looked at word by word. */
const mostCompared = 1_000_000;

/** Signs of words; roughly, every sign that is not ASCII counts as one: to look at each of them takes too long. */
function countSigns(text: string, isRough: boolean): number {
  if (!isRough) return text.replaceAll(betweenWords, '').length;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) count += isSign(text.charCodeAt(at)) ? 1 : 0;
  return count;
}

function isSign(code: number): boolean {
  // 0 to 9, A to Z, a to z
  return (
    code > 0x7f ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a)
  );
}

/** How many characters of each text are in none of the others: whole lines are looked for first, then words in a row. */
function charactersMissing(texts: readonly string[], others: readonly string[]): number[] {
  const apart = withoutSameLines(texts, others);
  if (lengthOf([...apart.texts.flat(), ...apart.others]) > mostCompared)
    return apart.texts.map((left) => countSigns(left.join('\n'), true));
  const lines = countEach(apart.others.flatMap(wordsOf));
  const unfound = apart.texts.map((left) => left.flatMap(wordsOf).filter((line) => !takeOne(lines, line)));
  const pool = createPool(allOf(lines).join(' ').split(' '));
  return unfound.map((left) => {
    const words = left.join(' ').split(' ');
    return lengthOf(words) - pool.take(words);
  });
}

/** Lines that are the same sign by sign, which are most, need no look at their words. */
function withoutSameLines(
  texts: readonly string[],
  others: readonly string[],
): { texts: string[][]; others: string[] } {
  const lines = countEach(others.flatMap((text) => text.split('\n')));
  const left = texts.map((text) => text.split('\n').filter((line) => !takeOne(lines, line)));
  return { texts: left, others: allOf(lines) };
}

/** The words of a line, if it has any, with one blank between. */
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

/** Words of which those that stand in a row can be taken, each once. */
function createPool(words: readonly string[]): { take(wanted: readonly string[]): number } {
  const rows = countEach(rowsOf(words));
  // Rows overlap, so that they could cover more than there is.
  let left = lengthOf(words);
  return {
    take(wanted) {
      const isFound = new Set<number>();
      for (const [index, row] of rowsOf(wanted).entries())
        if (takeOne(rows, row)) for (let at = index; at < index + inARow; at += 1) isFound.add(at);
      const found = [...isFound].reduce((sum, at) => sum + (wanted[at]?.length ?? 0), 0);
      const taken = Math.min(found, left);
      left -= taken;
      return taken;
    },
  };
}

function rowsOf(words: readonly string[]): string[] {
  return words.length < inARow
    ? []
    : words.slice(inARow - 1).map((_, index) => words.slice(index, index + inARow).join(' '));
}

function takeOne<Key>(counts: Map<Key, number>, key: Key): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}
