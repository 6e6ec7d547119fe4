import type { LineRange, Revision, VaultPath } from '../vault/index.ts';

/** A file as it is now. */
export type PresentLines = { revision: Revision; lines: readonly string[] };

/** What a run has seen of files: what it may replace, and what it means by a line number, is decided by it. */
export type Shown = {
  /** Consecutive lines were shown, as the file has them. */
  note(path: VaultPath, revision: Revision, first: number, lines: readonly string[]): void;
  /** A file counts as seen though it was not shown: the run wrote all of it, or its caller says that it knows it. */
  noteKnown(path: VaultPath, revision: Revision): void;
  forget(path: VaultPath): void;
  /** Whether anything of a file was seen, in whatever state, or in this one. */
  has(path: VaultPath, revision?: Revision): boolean;
  /** Whether all of a file was seen as it is now. */
  isWhole(path: VaultPath, present: PresentLines): boolean;
  /** From the first to the last of these lines that were not seen; null when all were. */
  unseen(path: VaultPath, present: PresentLines, range: LineRange): LineRange | null;
  /**
   * How these lines of a file read when any of them were last shown, if that was another state of the file than the
   * present one. Undefined for a line that was not shown; null when there is nothing to compare.
   */
  earlier(path: VaultPath, present: Revision, range: LineRange): (string | undefined)[] | null;
  /** About how many characters of memory it takes. */
  size(): number;
};

/** The lines are one text, so that they do not hold the whole file that they were cut from in memory. */
type Showing = { path: VaultPath; revision: Revision; first: number; count: number; text: string };

/** In characters. What was shown long ago is forgotten, and has to be read again before it is replaced. */
const mostCharacters = 2_000_000;
const charactersBeside = 100;

export function createShown(): Shown {
  const known = new Map<VaultPath, Revision>();
  /** Oldest first. */
  let showings: Showing[] = [];
  let size = 0;
  const of = (path: VaultPath): Showing[] => showings.filter((showing) => showing.path === path);
  const at = (path: VaultPath, revision: Revision): Showing[] =>
    of(path).filter((showing) => showing.revision === revision);

  return {
    note(path, revision, first, lines) {
      const showing = { path, revision, first, count: lines.length, text: lines.join('\n') };
      showings.push(showing);
      size += sizeOf(showing);
      while (size > mostCharacters && showings.length > 1) size -= sizeOf(showings.shift() ?? showing);
    },
    noteKnown: (path, revision) => void known.set(path, revision),
    forget(path) {
      known.delete(path);
      showings = showings.filter((showing) => showing.path !== path);
      size = showings.reduce((sum, showing) => sum + sizeOf(showing), 0);
    },
    has: (path, revision) =>
      revision === undefined
        ? known.has(path) || of(path).length > 0
        : known.get(path) === revision || at(path, revision).length > 0,
    isWhole(path, { revision, lines }) {
      const current = at(path, revision);
      return (
        known.get(path) === revision ||
        (current.length > 0 && covers(current, { start: 1, end: lines.length }))
      );
    },
    unseen(path, { revision, lines }, { start, end }) {
      if (known.has(path)) return null;
      const current = at(path, revision);
      // Numbers shift with every change, so lines of an earlier state are known by their text.
      const texts = new Set(of(path).flatMap((each) => (each.revision === revision ? [] : linesOf(each))));
      const isSeen = (number: number): boolean =>
        covers(current, { start: number, end: number }) || texts.has(lines[number - 1] ?? '');
      const numbers = Array.from({ length: end - start + 1 }, (_, index) => start + index);
      const missing = numbers.filter((number) => !isSeen(number));
      return missing.length === 0 ? null : { start: missing[0] ?? start, end: missing.at(-1) ?? end };
    },
    earlier(path, revision, range) {
      const last = of(path).findLast((showing) => overlaps(showing, range));
      return last === undefined || last.revision === revision
        ? null
        : linesIn(at(path, last.revision), range);
    },
    size: () => size,
  };
}

function sizeOf({ text }: Showing): number {
  return text.length + charactersBeside;
}

function linesOf({ count, text }: Showing): string[] {
  return count === 0 ? [] : text.split('\n');
}

function covers(showings: readonly Showing[], { start, end }: LineRange): boolean {
  let next = start;
  for (const { first, count } of showings.toSorted((a, b) => a.first - b.first))
    if (first <= next) next = Math.max(next, first + count);
  return next > end;
}

function overlaps({ first, count }: Showing, { start, end }: LineRange): boolean {
  return first <= end && first + count > start;
}

/** What showings of one state say of a range, from its first line to the last that they know. */
function linesIn(showings: readonly Showing[], range: LineRange): (string | undefined)[] {
  const lines: (string | undefined)[] = [];
  for (const showing of showings)
    for (const [index, line] of linesOf(showing).entries()) {
      const number = showing.first + index;
      if (number >= range.start && number <= range.end) lines[number - range.start] = line;
    }
  return lines;
}
