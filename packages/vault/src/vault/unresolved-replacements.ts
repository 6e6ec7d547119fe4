import { parseChangelog } from './changelog.ts';
import type { ChangelogEntry, EntryReference } from './changelog.ts';
import { splitLines } from './lines.ts';
import type { VaultPath } from './path.ts';
import { canReplace, createEntries, listOwnChangelogs } from './replaced-entries.ts';
import type { LocatedEntry } from './replaced-entries.ts';
import type { VaultView } from './vault-view.ts';

/** A `replaces:` line that names no earlier entry. */
export type UnresolvedReplacement = {
  /** The line as written. */
  line: string;
  /** Null if the line has another form than `replaces: <path> § <heading>`. */
  reference: EntryReference | null;
  /** The most similar entries that the line could name, best first. */
  closest: LocatedEntry[];
};

/**
 * Finds the `replaces:` lines of a changelog that name no earlier entry. `before` is its text before a change: lines that
 * it already contains are not reported. `after` is the text in the view.
 */
export async function findUnresolvedReplacements(
  view: VaultView,
  path: VaultPath,
  { before, after }: { before: string; after: string },
): Promise<UnresolvedReplacement[]> {
  const { entriesOf, entryNamed } = createEntries(view);
  const remaining = countByLine(listReplacements(parseChangelog(before), before));
  const unresolved: Replacement[] = [];
  // From the bottom, because new entries are added at the top.
  for (const each of listReplacements(await entriesOf(path), after).toReversed()) {
    if (each.reference !== null && (await entryNamed(each.reference, each.entry)) !== null) continue;
    const known = remaining.get(each.line) ?? 0;
    remaining.set(each.line, known - 1);
    if (known <= 0) unresolved.unshift(each);
  }
  if (unresolved.length === 0) return [];
  const candidates: LocatedEntry[] = [];
  for (const file of await listOwnChangelogs(view))
    for (const entry of await entriesOf(file)) candidates.push({ path: file, entry });
  return unresolved.map((each) => ({
    line: each.line,
    reference: each.reference,
    closest: findClosest(each, candidates),
  }));
}

type Replacement = { entry: ChangelogEntry; line: string; reference: EntryReference | null };

/** The `replaces:` lines of all entries, in the order of the file. */
function listReplacements(entries: readonly ChangelogEntry[], text: string): Replacement[] {
  const lines = splitLines(text);
  return entries.flatMap((entry) => [
    ...entry.replaces.map((reference) => ({ entry, line: formatReference(reference), reference })),
    ...entry.invalidLines
      .map((number) => (lines[number - 1] ?? '').trim())
      .filter((line) => line.startsWith('replaces:'))
      .map((line) => ({ entry, line, reference: null })),
  ]);
}

/** The value of a `replaces:` line. */
export function formatReference({ path, heading, day }: EntryReference): string {
  return `${path} § ${day === null ? '' : `${day} / `}${heading}`;
}

function countByLine(replacements: readonly Replacement[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { line } of replacements) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

const maxClosestEntries = 3;
/** Added to the similarity of headings in the file that the line names. */
const sameFileBonus = 0.2;

function findClosest(
  { entry: by, line, reference }: Replacement,
  candidates: readonly LocatedEntry[],
): LocatedEntry[] {
  const wanted = toBigrams(reference?.heading ?? line);
  const scored = candidates
    .filter(({ entry }) => canReplace(by, entry))
    .map((located) => ({
      located,
      score:
        similarity(wanted, toBigrams(located.entry.heading)) +
        (located.path === reference?.path ? sameFileBonus : 0),
    }));
  const best = new Map<string, LocatedEntry>();
  for (const { located } of scored.toSorted((a, b) => b.score - a.score)) {
    if (best.size === maxClosestEntries) break;
    best.set(`${located.path} § ${located.entry.heading}`, located);
  }
  return [...best.values()];
}

/** Pairs of neighbouring characters, without case and accents. */
function toBigrams(text: string): Set<string> {
  const characters = Array.from(text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase());
  return new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`));
}

/** The Dice coefficient, 0 to 1. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 0 : (2 * a.intersection(b).size) / (a.size + b.size);
}
