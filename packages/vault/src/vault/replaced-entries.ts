import { effectiveDay, parseChangelog } from './changelog.ts';
import type { ChangelogEntry, EntryReference } from './changelog.ts';
import { walkFilePaths } from './walk-files.ts';
import type { Layout } from './layout.ts';
import type { LineRange } from './lines.ts';
import type { VaultPath } from './path.ts';
import { decodeText } from './decode-text.ts';
import type { VaultView } from './vault-view.ts';

/** A changelog entry that a later entry replaces. Both stay in the changelog. */
export type ReplacedEntry = {
  heading: string;
  lines: LineRange;
  /** Whether it still holds, because its replacement takes effect after today. */
  isInForce: boolean;
  /** The newest replacement, if the replacing entry was replaced as well; `day` is the day on which it takes effect. */
  by: { path: VaultPath; line: number; heading: string; day: string | null };
};

/** Finds the replaced entries that overlap these lines, in order. */
export type FindReplaced = (path: VaultPath, lines: LineRange) => Promise<ReplacedEntry[]>;

/** Returns the changelogs that may replace entries of this one. */
type ReplacingFiles = (path: VaultPath) => Promise<Iterable<VaultPath>>;

export type LocatedEntry = { path: VaultPath; entry: ChangelogEntry };

/**
 * Reads each file once through the view, so create a new finder for every result. Files that are hidden in the view are
 * never mentioned. `today` (`2025-07-14`) decides whether a replacement has taken effect.
 */
export function createReplacementFinder(
  view: VaultView,
  today: string,
  replacingFiles: ReplacingFiles = async () => listOwnChangelogs(view),
): FindReplaced {
  const { entriesOf, entryNamed } = createEntries(view);
  const layout = view.layout();
  /** Most changelogs replace nothing, so a pattern check avoids parsing them. */
  const replacingEntries = memoizeByPath(async (path) =>
    isOwnChangelog(path, layout) && /^replaces:/m.test(await readTextOrEmpty(view, path))
      ? entriesOf(path)
      : [],
  );
  const replacementsOf = memoizeByPath(async (path) => {
    const found = new Map<ChangelogEntry, LocatedEntry>();
    for (const file of await replacingFiles(path))
      for (const { entry, name } of namesIn(await replacingEntries(file), path)) {
        const replaced = await entryNamed(name, entry);
        if (replaced === null) continue;
        const known = found.get(replaced);
        if (known === undefined || takesPrecedence(entry, known.entry, today))
          found.set(replaced, { path: file, entry });
      }
    return found;
  });
  const findNewest = createChainFollower(
    async ({ path, entry }) => (await replacementsOf(path)).get(entry),
    today,
  );
  return async (path, shown) => {
    if (!layout.isChangelog(path)) return [];
    const results: ReplacedEntry[] = [];
    for (const [replaced, first] of await replacementsOf(path)) {
      const { heading, lines } = replaced;
      if (!overlap(lines, shown)) continue;
      const { path: file, entry } = await findNewest(replaced, first);
      const by = { path: file, line: entry.lines.start, heading: entry.heading, day: effectiveDay(entry) };
      results.push({ heading, lines, isInForce: isUpcoming(entry, today), by });
    }
    return results.toSorted((a, b) => a.lines.start - b.lines.start);
  };
}

/**
 * Returns a function that follows a chain of replacements to the last one that is in force, or to its end if none is.
 * Results are cached, so that a long chain is followed only once.
 */
function createChainFollower(
  next: (located: LocatedEntry) => Promise<LocatedEntry | undefined>,
  today: string,
): (replaced: ChangelogEntry, first: LocatedEntry) => Promise<LocatedEntry> {
  const newestByEntry = new Map<ChangelogEntry, LocatedEntry>();
  return async (replaced, first) => {
    const visited = new Set([replaced]);
    const chain: LocatedEntry[] = [];
    let following: LocatedEntry | undefined = first;
    while (following !== undefined && !visited.has(following.entry) && !newestByEntry.has(following.entry)) {
      visited.add(following.entry);
      chain.push(following);
      following = await next(following);
    }
    // Two entries of the same day may replace each other; then the result depends on the first entry.
    const isCycle = following !== undefined && visited.has(following.entry);
    let newest = following && newestByEntry.get(following.entry);
    for (const located of chain.toReversed()) {
      if (newest === undefined || (isUpcoming(newest.entry, today) && !isUpcoming(located.entry, today)))
        newest = located;
      if (!isCycle) newestByEntry.set(located.entry, newest);
    }
    return newest ?? first;
  };
}

/** Parses each changelog only once, so that the same entry is always the same object. */
export function createEntries(view: VaultView) {
  const entriesOf = memoizeByPath(async (path) => parseChangelog(await readTextOrEmpty(view, path)));
  const entriesByHeading = memoizeByPath(async (path) =>
    Map.groupBy(view.layout().isChangelog(path) ? await entriesOf(path) : [], ({ heading }) =>
      normalizeHeading(heading),
    ),
  );
  const entryNamed = async ({ path, heading, day }: EntryReference, by: ChangelogEntry) =>
    resolveEntry((await entriesByHeading(path)).get(normalizeHeading(heading)) ?? [], day, by);
  return { entriesOf, entryNamed };
}

function overlap(a: LineRange, b: LineRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** Returns the references of these entries to a file. */
function namesIn(entries: readonly ChangelogEntry[], path: VaultPath) {
  return entries.flatMap((entry) =>
    entry.replaces.filter((name) => name.path === path).map((name) => ({ entry, name })),
  );
}

/**
 * Of the entries with the same heading, returns the latest one that was not filed after the replacing entry. The day may
 * be that of the heading or that of the event.
 */
function resolveEntry(
  alike: readonly ChangelogEntry[],
  day: string | null,
  by: ChangelogEntry,
): ChangelogEntry | null {
  return alike
    .filter((entry) => (day === null || entry.day === day || entry.when === day) && canReplace(by, entry))
    .reduce<ChangelogEntry | null>(
      (last, entry) => (last === null || isFiledAfter(entry, last) ? entry : last),
      null,
    );
}

function normalizeHeading(heading: string): string {
  return heading.normalize('NFC').replaceAll(/\s+/g, ' ');
}

/** An entry replaces entries that were filed earlier, whenever the events happened. */
export function canReplace(by: ChangelogEntry, entry: ChangelogEntry): boolean {
  return entry !== by && !isFiledAfter(entry, by);
}

/** Compares only the days; entries of the same day or without a day count as simultaneous. */
function isFiledAfter({ day }: ChangelogEntry, other: ChangelogEntry): boolean {
  return isAfter(day, other.day);
}

function isAfter(day: string | null, other: string | null): boolean {
  return day !== null && other !== null && day > other;
}

function isUpcoming({ from }: ChangelogEntry, today: string): boolean {
  return isAfter(from, today);
}

/** Of two replacements, the later one that is in force counts, otherwise the one that takes effect first. */
function takesPrecedence(entry: ChangelogEntry, known: ChangelogEntry, today: string): boolean {
  const [isNext, isKnownNext] = [isUpcoming(entry, today), isUpcoming(known, today)];
  if (isNext !== isKnownNext) return isKnownNext;
  const [later, earlier] = isNext ? [known, entry] : [entry, known];
  return isAfter(effectiveDay(later), effectiveDay(earlier));
}

/** The changelogs whose `replaces:` lines count. */
export async function listOwnChangelogs(view: VaultView): Promise<VaultPath[]> {
  const layout = view.layout();
  return [...walkFilePaths(await view.contents())].filter((path) => isOwnChangelog(path, layout));
}

/** Excludes raw material and inbox items, which may contain anything. */
export function isOwnChangelog(path: VaultPath, layout: Layout): boolean {
  return layout.isChangelog(path) && !layout.isInBucket(path) && !layout.isInInbox(path);
}

/** Returns an empty string if the file cannot be read as text. */
async function readTextOrEmpty(view: VaultView, path: VaultPath): Promise<string> {
  const read = await view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  return decoded?.kind === 'text' ? decoded.text : '';
}

function memoizeByPath<Value>(
  work: (path: VaultPath) => Promise<Value>,
): (path: VaultPath) => Promise<Value> {
  const cache = new Map<VaultPath, Promise<Value>>();
  return (path) => {
    const value = cache.get(path) ?? work(path);
    cache.set(path, value);
    return value;
  };
}
