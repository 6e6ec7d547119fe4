import { changelogEntries } from './changelog.ts';
import type { ChangelogEntry, EntryName } from './changelog.ts';
import { filePathsBelow } from './files-below.ts';
import { isInInbox } from './layout.ts';
import type { Layout } from './layout.ts';
import type { LineRange } from './lines.ts';
import type { VaultPath } from './path.ts';
import { decodeText } from './text.ts';
import type { VaultView } from './view.ts';

/** An entry of a changelog that a later one says it replaces. Both stay: a changelog forgets nothing. */
export type ReplacedEntry = {
  heading: string;
  lines: LineRange;
  /** The newest, where that one was replaced in turn. */
  by: { path: VaultPath; line: number; heading: string; day: string | null };
};

/** The replaced entries that some of these lines belong to, in their order. */
export type FindReplaced = (path: VaultPath, lines: LineRange) => Promise<ReplacedEntry[]>;

/** The changelogs that may hold what replaces an entry of this one. */
type ReplacingFiles = (path: VaultPath) => Promise<Iterable<VaultPath>>;

type Placed = { path: VaultPath; entry: ChangelogEntry };

/**
 * Reads the files as the view shows them, each once, so it is made anew for every result. Nothing is told of a file
 * that the view does not show.
 */
export function createReplacedFinder(
  view: VaultView,
  replacingFiles: ReplacingFiles = everyChangelog(view),
): FindReplaced {
  const { entriesOf, entryNamed } = createEntries(view);
  const layout = view.layout();
  /** Most changelogs replace nothing, and need not be outlined to know that. */
  const replacingEntries = remember(async (path) =>
    isOwnChangelog(path, layout) && /^replaces:/m.test(await textAt(view, path)) ? entriesOf(path) : [],
  );
  const replacementsOf = remember(async (path) => {
    const found = new Map<ChangelogEntry, Placed>();
    for (const file of await replacingFiles(path))
      for (const { entry, name } of namesIn(await replacingEntries(file), path)) {
        const replaced = await entryNamed(name, entry);
        if (replaced === null) continue;
        const known = found.get(replaced);
        if (known === undefined || isLater(entry, known.entry)) found.set(replaced, { path: file, entry });
      }
    return found;
  });
  /** Where each entry leads in the end; so a long row of them is followed once. */
  const ends = new Map<ChangelogEntry, Placed>();
  const newest = async (replaced: ChangelogEntry, first: Placed): Promise<Placed> => {
    const passed = new Set([replaced]);
    let last = first;
    while (!ends.has(last.entry)) {
      passed.add(last.entry);
      const next = (await replacementsOf(last.path)).get(last.entry);
      if (next === undefined) break;
      // Two entries of a day may each say that they replace the other.
      if (passed.has(next.entry)) return last;
      last = next;
    }
    const end = ends.get(last.entry) ?? last;
    for (const entry of passed) ends.set(entry, end);
    return end;
  };
  return async (path, shown) => {
    if (!layout.isChangelog(path)) return [];
    const told: ReplacedEntry[] = [];
    for (const [replaced, first] of await replacementsOf(path)) {
      const { heading, lines } = replaced;
      if (!overlap(lines, shown)) continue;
      const { path: file, entry } = await newest(replaced, first);
      told.push({
        heading,
        lines,
        by: { path: file, line: entry.lines.start, heading: entry.heading, day: entry.day },
      });
    }
    return told.toSorted((a, b) => a.lines.start - b.lines.start);
  };
}

/** What entries in these lines say they replace, and is not there. */
export async function replacedNowhere(
  view: VaultView,
  path: VaultPath,
  lines: LineRange,
): Promise<EntryName[]> {
  const { entriesOf, entryNamed } = createEntries(view);
  const missing: EntryName[] = [];
  for (const entry of (await entriesOf(path)).filter((each) => overlap(each.lines, lines)))
    for (const name of entry.replaces) if ((await entryNamed(name, entry)) === null) missing.push(name);
  return missing;
}

/** The entries of changelogs, each file read once; the same entry is the same object. */
function createEntries(view: VaultView) {
  const entriesOf = remember(async (path) => changelogEntries(await textAt(view, path)));
  const entriesByHeading = remember(async (path) =>
    Map.groupBy(view.layout().isChangelog(path) ? await entriesOf(path) : [], ({ heading }) =>
      plain(heading),
    ),
  );
  const entryNamed = async ({ path, heading, day }: EntryName, by: ChangelogEntry) =>
    entryMeant((await entriesByHeading(path)).get(plain(heading)) ?? [], day, by);
  return { entriesOf, entryNamed };
}

function overlap(a: LineRange, b: LineRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** What these entries say they replace in a file. */
function namesIn(entries: readonly ChangelogEntry[], path: VaultPath) {
  return entries.flatMap((entry) =>
    entry.replaces.filter((name) => name.path === path).map((name) => ({ entry, name })),
  );
}

/** Of entries with the same heading, the last one before that which replaces it. */
function entryMeant(
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

function plain(heading: string): string {
  return heading.normalize('NFC').replaceAll(/\s+/g, ' ');
}

/** By their days alone; within a day, and without one, they are of the same time. */
function isLater({ day }: ChangelogEntry, than: ChangelogEntry): boolean {
  return day !== null && than.day !== null && day > than.day;
}

function everyChangelog(view: VaultView): ReplacingFiles {
  return async () => {
    const layout = view.layout();
    return filePathsBelow(await view.contents()).filter((path) => isOwnChangelog(path, layout));
  };
}

/** Raw material is kept as it came, and may say anything. */
function isOwnChangelog(path: VaultPath, layout: Layout): boolean {
  return layout.isChangelog(path) && !layout.isInBucket(path) && !isInInbox(path);
}

/** What cannot be read as text says nothing. */
async function textAt(view: VaultView, path: VaultPath): Promise<string> {
  const read = await view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  return decoded?.kind === 'text' ? decoded.text : '';
}

function remember<Value>(work: (path: VaultPath) => Promise<Value>): (path: VaultPath) => Promise<Value> {
  const known = new Map<VaultPath, Promise<Value>>();
  return (path) => {
    const value = known.get(path) ?? work(path);
    known.set(path, value);
    return value;
  };
}
