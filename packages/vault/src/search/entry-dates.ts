import { baseName, eventDay, findFrontmatter, parseChangelog, parseDay } from '../vault/index.ts';
import type { ChangelogEntry, Layout, VaultPath } from '../vault/index.ts';

type Heading = { level: number; text: string };

/**
 * The entries of a changelog, if some state a date of their own. Most changelogs contain none, so a pattern check avoids
 * parsing them.
 */
export function parseEntriesWithDates(
  path: VaultPath,
  text: string,
  { isChangelog }: Layout,
): ChangelogEntry[] {
  return isChangelog(path) && /^(?:when|from):/m.test(text) ? parseChangelog(text) : [];
}

function hasOwnDate({ when, from }: ChangelogEntry): boolean {
  return when !== null || from !== null;
}

/** The first lines, from 0, of entries with a date of their own and of the entries below them. */
export function findDateBoundaries(entries: readonly ChangelogEntry[]): Set<number> {
  const isBoundary = (entry: ChangelogEntry, index: number): boolean =>
    [entry, entries[index - 1]].some((each) => each !== undefined && hasOwnDate(each));
  return new Set(entries.filter(isBoundary).map(({ lines }) => lines.start - 1));
}

/**
 * Returns the entry with a date of its own in a piece; null if there is none. Pieces must be passed in order, so that each
 * entry is visited once.
 */
export function createDatedEntryFinder(
  entries: readonly ChangelogEntry[],
): (piece: { first: number; last: number }) => ChangelogEntry | null {
  const dated = entries.filter(hasOwnDate);
  let next = 0;
  return ({ first, last }) => {
    while ((dated[next]?.lines.end ?? Infinity) <= first) next += 1;
    const entry = dated[next];
    return entry !== undefined && entry.lines.start <= last + 1 ? entry : null;
  };
}

/** The date of a chunk; see `Chunk`. */
export function dateOf(entry: ChangelogEntry | null, headings: readonly Heading[]): string | null {
  if (entry === null) return dateFromHeading(headings);
  return [eventDay(entry), entry.from].filter((day) => day !== null).join(' ');
}

/** The day that a note is about: the property `date`, or a date in its name. Null if it states none. */
export function noteDate(path: VaultPath, text: string): string | null {
  const properties = text.slice(0, findFrontmatter(text)?.bodyStart ?? 0);
  const property = /^date\s*:\s*['"]?(\d{4}-\d\d-\d\d)/m.exec(properties)?.[1];
  const named = /(?<!\d)\d{4}-\d\d-\d\d(?!\d)/.exec(baseName(path))?.[0];
  return [property, named].find((day) => day !== undefined && parseDay(day) !== null) ?? null;
}

/** The day of a changelog above a chunk. */
export function dateFromHeading([top]: readonly Heading[]): string | null {
  return top?.level === 1 ? parseDay(top.text) : null;
}
