import type { LineRange, Revision, VaultPath } from '../vault/index.ts';

/** The current content of a file. */
export type FileLines = { revision: Revision; lines: readonly string[] };

/** The lines a run has been shown. They decide which lines it may replace and which version of a file its line numbers refer to. */
export type ShownLines = {
  /** Records consecutive lines as shown. */
  add(path: VaultPath, revision: Revision, first: number, lines: readonly string[]): void;
  /** Marks a file as seen without being shown: the run wrote all of it, or the caller passed its revision. */
  markKnown(path: VaultPath, revision: Revision): void;
  forget(path: VaultPath): void;
  /** Whether any line of the file was seen, in the given revision or in any. */
  has(path: VaultPath, revision?: Revision): boolean;
  /** Whether the whole current content was seen. */
  isFullyShown(path: VaultPath, present: FileLines): boolean;
  /** The range from the first to the last unseen line; null when all were seen. */
  findUnseen(path: VaultPath, present: FileLines, range: LineRange): LineRange | null;
  /**
   * The text of these lines when they were last shown, if that was in another revision than the current one. A line that was not
   * shown is undefined; null when there is nothing to compare.
   */
  previousText(path: VaultPath, present: Revision, range: LineRange): (string | undefined)[] | null;
  /** Approximate memory use, in characters. */
  size(): number;
};

/** The lines are joined into a new string, because slices would keep the whole file in memory. */
type ShownRange = { path: VaultPath; revision: Revision; first: number; count: number; text: string };

/** Above this limit the oldest lines are evicted and have to be read again before they can be replaced. */
const maxCharacters = 2_000_000;
const overheadCharacters = 100;

export function createShownLines(): ShownLines {
  const known = new Map<VaultPath, Revision>();
  /** Oldest first. */
  let showings: ShownRange[] = [];
  let size = 0;
  const of = (path: VaultPath): ShownRange[] => showings.filter((showing) => showing.path === path);
  const at = (path: VaultPath, revision: Revision): ShownRange[] =>
    of(path).filter((showing) => showing.revision === revision);

  return {
    add(path, revision, first, lines) {
      const showing = { path, revision, first, count: lines.length, text: lines.join('\n') };
      showings.push(showing);
      size += sizeOf(showing);
      while (size > maxCharacters && showings.length > 1) size -= sizeOf(showings.shift() ?? showing);
    },
    markKnown: (path, revision) => void known.set(path, revision),
    forget(path) {
      known.delete(path);
      showings = showings.filter((showing) => showing.path !== path);
      size = showings.reduce((sum, showing) => sum + sizeOf(showing), 0);
    },
    has: (path, revision) =>
      revision === undefined
        ? known.has(path) || of(path).length > 0
        : known.get(path) === revision || at(path, revision).length > 0,
    isFullyShown(path, present) {
      const current = at(path, present.revision);
      return (
        known.get(path) === present.revision ||
        (current.length > 0 && covers(current, { start: 1, end: present.lines.length }))
      );
    },
    findUnseen(path, { revision, lines }, { start, end }) {
      if (known.has(path)) return null;
      const current = at(path, revision);
      // Line numbers shift with every change, so lines of an earlier revision are matched by their text.
      const texts = new Set(of(path).flatMap((each) => (each.revision === revision ? [] : linesOf(each))));
      const isSeen = (number: number): boolean =>
        covers(current, { start: number, end: number }) || texts.has(lines[number - 1] ?? '');
      const numbers = Array.from({ length: end - start + 1 }, (_, index) => start + index);
      const missing = numbers.filter((number) => !isSeen(number));
      return missing.length === 0 ? null : { start: missing[0] ?? start, end: missing.at(-1) ?? end };
    },
    previousText(path, revision, range) {
      const last = of(path).findLast((showing) => overlaps(showing, range));
      return last === undefined || last.revision === revision
        ? null
        : linesIn(at(path, last.revision), range);
    },
    size: () => size,
  };
}

function sizeOf({ text }: ShownRange): number {
  return text.length + overheadCharacters;
}

function linesOf({ count, text }: ShownRange): string[] {
  return count === 0 ? [] : text.split('\n');
}

function covers(showings: readonly ShownRange[], { start, end }: LineRange): boolean {
  let next = start;
  for (const { first, count } of showings.toSorted((a, b) => a.first - b.first))
    if (first <= next) next = Math.max(next, first + count);
  return next > end;
}

function overlaps({ first, count }: ShownRange, { start, end }: LineRange): boolean {
  return first <= end && first + count > start;
}

/** The lines of a range that were shown in one revision, up to the last known line. */
function linesIn(showings: readonly ShownRange[], range: LineRange): (string | undefined)[] {
  const lines: (string | undefined)[] = [];
  for (const showing of showings)
    for (const [index, line] of linesOf(showing).entries()) {
      const number = showing.first + index;
      if (number >= range.start && number <= range.end) lines[number - range.start] = line;
    }
  return lines;
}
