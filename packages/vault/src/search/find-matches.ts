import type { VaultPath } from '../vault/index.ts';
import type { ChunkIndex, IndexedChunk, NoteMatches, SearchFilter } from './chunk-index.ts';
import type { Passage } from './load-passages.ts';
import type { AskedQuery } from './rank-queries.ts';
import { matchStaged } from './search-staged.ts';
import { createTextMatcher } from './text-matcher.ts';

/**
 * How many notes and lines match, whether they are shown or not. A note matches if its text or properties contain all words and phrases
 * of a query, in any case, with any accents and with any English ending; of such notes, a line counts if it contains one of them. A
 * query that has only filters matches all notes that fit them.
 */
export type MatchCounts = { notes: number; lines: number };

/** The notes that match any of the queries, by path. */
export type Matches = ReadonlyMap<VaultPath, NoteMatches>;

/** Finds all notes that match a query, in the index and in memory. */
export async function findMatches(
  { isWordless, parsed, filter, isIncluded }: AskedQuery,
  index: Pick<ChunkIndex, 'findMatches' | 'files' | 'newestNotes'>,
  inMemory: readonly IndexedChunk[],
): Promise<NoteMatches[]> {
  const chunks = inMemory.filter(({ path }) => isIncluded?.(path) !== false);
  return isWordless
    ? listWordless(index, filter, chunks)
    : [...(await index.findMatches(parsed, filter)), ...matchStaged(chunks, parsed)];
}

/** Joins the matches of several queries. */
export function joinMatches(found: readonly (readonly NoteMatches[])[]): Matches {
  const matches = new Map<VaultPath, NoteMatches>();
  for (const match of found.flat()) {
    const known = matches.get(match.path);
    matches.set(match.path, known === undefined ? match : mergeMatches(known, match));
  }
  return matches;
}

function mergeMatches({ path, lines, chunks }: NoteMatches, other: NoteMatches): NoteMatches {
  return {
    path,
    lines: [...new Set([...lines, ...other.lines])].toSorted((a, b) => a - b),
    chunks: [...new Set([...chunks, ...other.chunks])],
  };
}

function listWordless(
  index: Pick<ChunkIndex, 'files' | 'newestNotes'>,
  filter: SearchFilter,
  inMemory: readonly IndexedChunk[],
): NoteMatches[] {
  const isTimed = filter.from !== null || filter.to !== null;
  const indexed = isTimed
    ? index.newestNotes(filter, Infinity).map(({ path }) => path)
    : [...index.files().keys()].filter((path) => filter.isInScope?.(path) !== false);
  return [...new Set([...indexed, ...inMemory.map(({ path }) => path)])].map((path) => ({
    path,
    lines: [],
    chunks: [],
  }));
}

export function countMatches(matches: Matches): MatchCounts {
  let lines = 0;
  for (const match of matches.values()) lines += match.lines.length;
  return { notes: matches.size, lines };
}

/** How many of the matching notes and lines the passages show. */
export function countShown(
  passages: readonly Pick<Passage, 'path' | 'lines'>[],
  matches: Matches,
): MatchCounts {
  const notes = new Set<VaultPath>();
  const lines = new Set<string>();
  for (const { path, lines: shown } of passages) {
    const match = matches.get(path);
    if (match === undefined) continue;
    notes.add(path);
    for (const line of match.lines)
      if (line >= shown.start && line <= shown.end) lines.add(`${path}:${line}`);
  }
  return { notes: notes.size, lines: lines.size };
}

/** Creates a test whether a line of a note matches. */
export function createLineTest(matches: Matches): (path: VaultPath, line: number) => boolean {
  const lines = new Map<VaultPath, Set<number>>();
  return (path, line) => {
    const own = lines.get(path) ?? new Set(matches.get(path)?.lines);
    lines.set(path, own);
    return own.has(line);
  };
}

/** Creates a function that finds the lines of a text, from 0, that contain a word of one of the queries. */
export function createLineFinder(asked: readonly Pick<AskedQuery, 'parsed'>[]): (text: string) => number[] {
  const matchers = asked.map(({ parsed }) => createTextMatcher({ ...parsed, excluded: [] }));
  return (text) =>
    [...new Set(matchers.flatMap(({ match }) => match(text)?.lines ?? []))].toSorted((a, b) => a - b);
}
