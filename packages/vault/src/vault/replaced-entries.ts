import { parseChangelog } from './changelog.ts';
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
  /** The newest replacement, if the replacing entry was replaced as well. */
  by: { path: VaultPath; line: number; heading: string; day: string | null };
};

/** Finds the replaced entries that overlap these lines, in order. */
export type FindReplaced = (path: VaultPath, lines: LineRange) => Promise<ReplacedEntry[]>;

/** Returns the changelogs that may replace entries of this one. */
type ReplacingFiles = (path: VaultPath) => Promise<Iterable<VaultPath>>;

type LocatedEntry = { path: VaultPath; entry: ChangelogEntry };

/**
 * Reads each file once through the view, so create a new finder for every result. Files that are hidden in the view are
 * never mentioned.
 */
export function createReplacementFinder(
  view: VaultView,
  replacingFiles: ReplacingFiles = everyChangelog(view),
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
        if (known === undefined || isLater(entry, known.entry)) found.set(replaced, { path: file, entry });
      }
    return found;
  });
  /** Caches the final replacement of each entry, so that a long chain is followed only once. */
  const finalReplacements = new Map<ChangelogEntry, LocatedEntry>();
  const newest = async (replaced: ChangelogEntry, first: LocatedEntry): Promise<LocatedEntry> => {
    const visited = new Set([replaced]);
    let last = first;
    while (!finalReplacements.has(last.entry)) {
      visited.add(last.entry);
      const next = (await replacementsOf(last.path)).get(last.entry);
      if (next === undefined) break;
      // Two entries of the same day may replace each other.
      if (visited.has(next.entry)) return last;
      last = next;
    }
    const end = finalReplacements.get(last.entry) ?? last;
    for (const entry of visited) finalReplacements.set(entry, end);
    return end;
  };
  return async (path, shown) => {
    if (!layout.isChangelog(path)) return [];
    const results: ReplacedEntry[] = [];
    for (const [replaced, first] of await replacementsOf(path)) {
      const { heading, lines } = replaced;
      if (!overlap(lines, shown)) continue;
      const { path: file, entry } = await newest(replaced, first);
      results.push({
        heading,
        lines,
        by: { path: file, line: entry.lines.start, heading: entry.heading, day: entry.day },
      });
    }
    return results.toSorted((a, b) => a.lines.start - b.lines.start);
  };
}

/** Returns the references of entries in these lines that resolve to no entry. */
export async function findUnresolvedReplacements(
  view: VaultView,
  path: VaultPath,
  lines: LineRange,
): Promise<EntryReference[]> {
  const { entriesOf, entryNamed } = createEntries(view);
  const missing: EntryReference[] = [];
  for (const entry of (await entriesOf(path)).filter((each) => overlap(each.lines, lines)))
    for (const name of entry.replaces) if ((await entryNamed(name, entry)) === null) missing.push(name);
  return missing;
}

/** Parses each changelog only once, so that the same entry is always the same object. */
function createEntries(view: VaultView) {
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

/** Of the entries with the same heading, returns the latest one that is not later than the replacing entry. */
function resolveEntry(
  alike: readonly ChangelogEntry[],
  day: string | null,
  by: ChangelogEntry,
): ChangelogEntry | null {
  return alike
    .filter((entry) => entry !== by && (day === null || entry.day === day) && !isLater(entry, by))
    .reduce<ChangelogEntry | null>(
      (last, entry) => (last === null || isLater(entry, last) ? entry : last),
      null,
    );
}

function normalizeHeading(heading: string): string {
  return heading.normalize('NFC').replaceAll(/\s+/g, ' ');
}

/** Compares only the days; entries of the same day or without a day count as simultaneous. */
function isLater({ day }: ChangelogEntry, than: ChangelogEntry): boolean {
  return day !== null && than.day !== null && day > than.day;
}

function everyChangelog(view: VaultView): ReplacingFiles {
  return async () => {
    const layout = view.layout();
    return walkFilePaths(await view.contents()).filter((path) => isOwnChangelog(path, layout));
  };
}

/** Excludes raw material and inbox items, which may contain anything. */
function isOwnChangelog(path: VaultPath, layout: Layout): boolean {
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
