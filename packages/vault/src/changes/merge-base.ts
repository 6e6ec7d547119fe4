import { diffLines, internLines } from '../contract/index.ts';
import { extractBody, parseFieldParts, findFrontmatter, formatParts, splitLines } from '../vault/index.ts';
import type { ListPart } from '../vault/index.ts';
import { countOccurrences } from './count-occurrences.ts';
import { hasWordCharacter } from './union-merge.ts';

/**
 * A version of a note. `isOwnWrite`: written by Keepsake on this machine, not by another program such as a sync
 * service.
 */
export type Version = { text: string; isOwnWrite: boolean };
/** `at` is when the version was added to history, in milliseconds. */
export type DatedVersion = Version & { at: number };

/**
 * Finds the merge base of two texts among the versions in history (newest first); null when there is none. Picks the oldest
 * version that contains the most lines common to both, and drops lines that one side may never have had: keeping such a
 * line would turn a missing line into a deletion, while dropping it can at most bring back a deleted line.
 * `hasCommonOrigin`: both texts were written after the oldest version; otherwise that version proves nothing.
 */
export function findMergeBase(
  versions: readonly Version[],
  a: string,
  b: string,
  hasCommonOrigin = true,
): string | null {
  if (versions.every(({ text }) => text === a || text === b)) return null;
  const others = [
    ...versions.toReversed(),
    ...[a, b].toSorted().map((text) => ({ text, isOwnWrite: false })),
  ];
  const known = others.map(({ text, isOwnWrite }) => ({ text, isOwnWrite, lines: new Set(bodyLines(text)) }));
  const [ours, theirs] = [new Set(bodyLines(a)), new Set(bodyLines(b))];
  const common = [...ours.intersection(theirs)].filter(hasWordCharacter);
  const shared = known.map(({ lines }) => common.filter((line) => lines.has(line)).length);
  const maxShared = Math.max(...shared);
  const base = known[shared.indexOf(maxShared)];
  if (base === undefined || maxShared === 0) return null;
  const lines = bodyLines(base.text);
  const first = hasCommonOrigin ? (others[0]?.text ?? '') : '';
  const firstLines = new Set(bodyLines(first));
  const doubtful = new Set([
    ...findUncertainLines(lines, a, known, firstLines),
    ...findUncertainLines(lines, b, known, firstLines),
  ]);
  const fields = knownFields(base.text, [first, a, b]);
  const top = fields.length === 0 ? [] : ['---', ...formatParts(fields), '---'];
  return [...top, ...lines.filter((_, index) => !doubtful.has(index))].map((line) => `${line}\n`).join('');
}

/** The fields of a version that are unchanged since the oldest one, or that both texts contain. */
function knownFields(base: string, texts: readonly string[]): ListPart[] {
  const has = texts.map((text) => new Set(fieldsOf(text).map(({ lines }) => lines.join('\n'))));
  return fieldsOf(base).filter(({ lines }) => {
    const [inFirst, inA, inB] = has.map((fields) => fields.has(lines.join('\n')));
    return inFirst === true || (inA === true && inB === true);
  });
}

function fieldsOf(text: string): ListPart[] {
  const found = findFrontmatter(text);
  return found === null ? [] : parseFieldParts(text.slice(found.yamlStart, found.yamlEnd));
}

type Known = { isOwnWrite: boolean; lines: ReadonlySet<string> };

/** Finds the lines that a text lacks and may never have had, together with the lines missing around them. */
function findUncertainLines(
  base: readonly string[],
  text: string,
  known: readonly Known[],
  first: ReadonlySet<string>,
): number[] {
  const now = bodyLines(text);
  const wasThere = createLineAncestryCheck(new Set(base), new Set(now), known, first);
  const [before, after] = [countOccurrences(base), countOccurrences(now)];
  /** A line with the same number of occurrences was only moved. */
  const isMissing = (line: string): boolean => (before.get(line) ?? 0) > (after.get(line) ?? 0);
  const [old, fresh] = internLines(base, now) as [Int32Array, Int32Array];
  return diffLines(old, fresh).edits.flatMap(({ old: { start, end } }) => {
    const missing = base.slice(start, end).flatMap((line, at) => (isMissing(line) ? [start + at] : []));
    return missing.every((at) => !hasWordCharacter(base[at] ?? '') || wasThere(base[at] ?? ''))
      ? []
      : missing;
  });
}

/** A single matching change may have been made on both machines independently. */
const minMatchingChanges = 2;

/**
 * Returns a function that tells whether the ancestor of a text contained a line. It did if the line is in the oldest
 * version and the text still has most remaining lines of that version, or if the text contains lines that several of our
 * own changes introduced in versions with this line.
 */
function createLineAncestryCheck(
  base: ReadonlySet<string>,
  now: ReadonlySet<string>,
  known: readonly Known[],
  first: ReadonlySet<string>,
): (line: string) => boolean {
  const left = [...first].filter((line) => base.has(line) && isDistinctive(line));
  const hasFirst = left.filter((line) => now.has(line)).length * 3 >= left.length * 2 && left.length > 0;
  const met = known.filter(
    ({ isOwnWrite, lines }, index) =>
      isOwnWrite &&
      [...lines].some(
        (line) =>
          isDistinctive(line) &&
          now.has(line) &&
          !known.slice(0, index).some((earlier) => earlier.lines.has(line)),
      ),
  );
  return (line) =>
    (hasFirst && first.has(line)) || met.filter(({ lines }) => lines.has(line)).length >= minMatchingChanges;
}

/** Headings such as dates and section names recur in unrelated notes. */
function isDistinctive(line: string): boolean {
  return hasWordCharacter(line) && !line.startsWith('#');
}

/** The index of the version closest to a text; the oldest of equally close ones, -1 when there are none. */
export function findNearestVersion(versions: readonly string[], text: string): number {
  const distances = versions.map((version) => distance(version, text));
  return distances.lastIndexOf(Math.min(...distances));
}

/** The number of removed and added lines. */
function distance(from: string, to: string): number {
  const [old, fresh] = internLines(bodyLines(from), bodyLines(to)) as [Int32Array, Int32Array];
  return diffLines(old, fresh).edits.reduce(
    (sum, edit) => sum + edit.old.end - edit.old.start + edit.new.end - edit.new.start,
    0,
  );
}

function bodyLines(text: string): string[] {
  return splitLines(extractBody(text));
}
