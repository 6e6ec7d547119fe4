import { compareLines, numberLines } from '../contract/index.ts';
import { bodyOf, fieldParts, findFrontmatter, linesOfParts, splitLines } from '../vault/index.ts';
import type { ListPart } from '../vault/index.ts';
import { countEach } from './count-each.ts';
import { hasWord } from './unite-lines.ts';

/** What a note once was. `isOurs` when it was written here, and not by another program: that may be a sync service. */
export type Version = { text: string; isOurs: boolean };
/** `at` is when history got it, in milliseconds. */
export type DatedVersion = Version & { at: number };

/**
 * What two texts come from, by the versions that history has, newest first; null when it has none but the two. Of those that hold
 * the most of what both hold it is the oldest, without the lines of which nobody knows whether a side ever had them: to take such
 * a line for one that was taken away would lose it, while without it at most something comes back that was taken away.
 * `isBegun`: both were written after the oldest version, which proves nothing otherwise.
 */
export function commonBase(
  versions: readonly Version[],
  a: string,
  b: string,
  isBegun = true,
): string | null {
  if (versions.every(({ text }) => text === a || text === b)) return null;
  const others = [...versions.toReversed(), ...[a, b].toSorted().map((text) => ({ text, isOurs: false }))];
  const known = others.map(({ text, isOurs }) => ({ text, isOurs, lines: new Set(bodyLines(text)) }));
  const [mine, theirs] = [new Set(bodyLines(a)), new Set(bodyLines(b))];
  const common = [...mine.intersection(theirs)].filter(hasWord);
  const shared = known.map(({ lines }) => common.filter((line) => lines.has(line)).length);
  const most = Math.max(...shared);
  const base = known[shared.indexOf(most)];
  if (base === undefined || most === 0) return null;
  const lines = bodyLines(base.text);
  const first = isBegun ? (others[0]?.text ?? '') : '';
  const firstLines = new Set(bodyLines(first));
  const doubtful = new Set([
    ...inDoubt(lines, a, known, firstLines),
    ...inDoubt(lines, b, known, firstLines),
  ]);
  const fields = knownFields(base.text, [first, a, b]);
  const top = fields.length === 0 ? [] : ['---', ...linesOfParts(fields), '---'];
  return [...top, ...lines.filter((_, index) => !doubtful.has(index))].map((line) => `${line}\n`).join('');
}

/** The fields of a version that are as they were in the oldest, or as both have them. */
function knownFields(base: string, texts: readonly string[]): ListPart[] {
  const has = texts.map((text) => new Set(fieldsOf(text).map(({ lines }) => lines.join('\n'))));
  return fieldsOf(base).filter(({ lines }) => {
    const [inFirst, inA, inB] = has.map((fields) => fields.has(lines.join('\n')));
    return inFirst === true || (inA === true && inB === true);
  });
}

function fieldsOf(text: string): ListPart[] {
  const found = findFrontmatter(text);
  return found === null ? [] : fieldParts(text.slice(found.yamlStart, found.yamlEnd));
}

type Known = { isOurs: boolean; lines: ReadonlySet<string> };

/** Which lines a text has not, and may never have had; together with those that are missing around them. */
function inDoubt(
  base: readonly string[],
  text: string,
  known: readonly Known[],
  first: ReadonlySet<string>,
): number[] {
  const now = bodyLines(text);
  const wasThere = knowsLine(new Set(base), new Set(now), known, first);
  const [before, after] = [countEach(base), countEach(now)];
  /** What is as often there stands elsewhere by now. */
  const isMissing = (line: string): boolean => (before.get(line) ?? 0) > (after.get(line) ?? 0);
  const [old, fresh] = numberLines(base, now) as [Int32Array, Int32Array];
  return compareLines(old, fresh).edits.flatMap(({ old: { start, end } }) => {
    const missing = base.slice(start, end).flatMap((line, at) => (isMissing(line) ? [start + at] : []));
    return missing.every((at) => !hasWord(base[at] ?? '') || wasThere(base[at] ?? '')) ? [] : missing;
  });
}

/** That of one change may have been written on both machines. */
const leastChanges = 2;

/**
 * Tells whether what a text was made from had a line: either most of what is left of the oldest version stands in it, and the line
 * is as old, or it holds what several changes made here have brought into versions with that line.
 */
function knowsLine(
  base: ReadonlySet<string>,
  now: ReadonlySet<string>,
  known: readonly Known[],
  first: ReadonlySet<string>,
): (line: string) => boolean {
  const left = [...first].filter((line) => base.has(line) && isTelling(line));
  const hasFirst = left.filter((line) => now.has(line)).length * 3 >= left.length * 2 && left.length > 0;
  const met = known.filter(
    ({ isOurs, lines }, index) =>
      isOurs &&
      [...lines].some(
        (line) =>
          isTelling(line) &&
          now.has(line) &&
          !known.slice(0, index).some((earlier) => earlier.lines.has(line)),
      ),
  );
  return (line) =>
    (hasFirst && first.has(line)) || met.filter(({ lines }) => lines.has(line)).length >= leastChanges;
}

/** Headings are the same in notes that have nothing to do with each other: days, names of parts. */
function isTelling(line: string): boolean {
  return hasWord(line) && !line.startsWith('#');
}

/** Which of these versions a text comes from; of equally near ones the oldest, -1 when there are none. */
export function nearest(versions: readonly string[], text: string): number {
  const distances = versions.map((version) => distance(version, text));
  return distances.lastIndexOf(Math.min(...distances));
}

/** How many lines were taken away and added. */
function distance(from: string, to: string): number {
  const [old, fresh] = numberLines(bodyLines(from), bodyLines(to)) as [Int32Array, Int32Array];
  return compareLines(old, fresh).edits.reduce(
    (sum, edit) => sum + edit.old.end - edit.old.start + edit.new.end - edit.new.start,
    0,
  );
}

function bodyLines(text: string): string[] {
  return splitLines(bodyOf(text));
}
