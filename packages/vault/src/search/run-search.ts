import type { ChunkIndex, IndexedChunk, NoteMatches, SearchFilter } from './chunk-index.ts';
import { createLineFinder, createLineTest, findMatches, joinMatches } from './find-matches.ts';
import type { Matches } from './find-matches.ts';
import { corpusStats, defaultCandidates, toRetrievalQuery } from './lexical-retriever.ts';
import type { Retriever } from './lexical-retriever.ts';
import type { LoadChunk } from './load-chunks.ts';
import { maxResults, selectFromLists, showsMore } from './load-passages.ts';
import { createPassageSelector } from './passages.ts';
import type { PassageRange, SelectedPassages } from './passages.ts';
import type { FilteredQuery } from './query-filters.ts';
import { parseQuery } from './query.ts';
import { rankQueries } from './rank-queries.ts';
import type { AskedQuery, RankedQueries } from './rank-queries.ts';
import type { PathPredicate } from './scopes.ts';
import { matchStaged } from './search-staged.ts';
import type { SearchRequest } from './search-request.ts';

/** Number of passages if nothing fits. */
const maxNearest = 3;
/** Candidates for each note to show. */
const chunksPerNote = 4;
/** What a further page shows. */
const limitStep = 10;

type SearchContext = {
  index: ChunkIndex;
  retrieve: Retriever;
  filtered: readonly FilteredQuery[];
  filter: SearchFilter & { isSecondary: PathPredicate };
  inMemory: readonly IndexedChunk[];
  overview: readonly IndexedChunk[];
  load: LoadChunk;
};

export type SearchResult = {
  chosen: SelectedPassages;
  matches: Matches;
  ranked: RankedQueries;
  /** False if nothing fits any of the queries. */
  fits: boolean;
  unknownWords: string[];
  nextLimit: number | null;
  /** The lines of a passage that contain a word of a query. */
  findLines: (passage: PassageRange) => number[];
};

/** Finds what matches, and selects the passages to show. */
export async function runSearch(request: SearchRequest, context: SearchContext): Promise<SearchResult> {
  const { index, retrieve, filtered, filter, inMemory, overview, load } = context;
  const { mode, limit, extent } = request;
  const asked = filtered.map((query) => toAskedQuery(query, filter, index));
  const found: NoteMatches[][] = [];
  for (const query of asked) found.push(await findMatches(query, index, inMemory));
  const matches = joinMatches(found);
  const unknownWords = findUnknownWords(asked, request, [...inMemory, ...overview]);
  if (extent === 'paths') return { ...nothingRanked, matches, unknownWords };
  const rank = (maxShown: number): Promise<RankedQueries> =>
    rankQueries(
      asked.map((query, position) => ({
        ...query,
        candidates: countCandidates(request, maxShown),
        required: extent === 'all' ? (found[position]?.flatMap(({ chunks }) => chunks) ?? []) : [],
      })),
      {
        mode,
        retrieve,
        inMemory,
        overview,
        isSecondary: filter.isSecondary,
        isMatching: extent === 'all' ? createLineTest(matches) : null,
        statistics: corpusStats(index),
      },
    );
  const ranked = await rank(limit ?? 0);
  const select = createPassageSelector(load);
  const fits = ranked.lists.some(({ isFitting }) => isFitting);
  // Of what does not fit, a few of the nearest passages are enough.
  const size = fits || extent === 'all' ? request : { ...request, limit: maxNearest };
  const selected = await selectFromLists(listsToShow(ranked), select, size);
  const chosen = extent === 'all' ? onlyMatching(selected, matches) : selected;
  const findNextLimit = async (): Promise<number | null> => {
    const first = Math.min(maxResults, Math.max(limit ?? 0, chosen.count) + limitStep);
    for (const next of new Set([first, maxResults])) {
      if (next <= (limit ?? 0)) continue;
      const isRanked = countCandidates(request, next) === countCandidates(request, limit ?? 0);
      const { lists } = isRanked ? ranked : await rank(next);
      if (await showsMore(listsToShow({ lists }), select, { ...request, limit: next }, chosen)) return next;
    }
    return null;
  };
  const findLines = createLineFinder(asked);
  return {
    chosen,
    matches,
    ranked,
    fits,
    unknownWords,
    nextLimit:
      fits && (extent === undefined || extent === 'notes') && chosen.count > 0 ? await findNextLimit() : null,
    findLines: ({ file, shown }) =>
      findLines(file.lines.slice(shown.start - 1, shown.end).join('\n')).map((line) => shown.start + line),
  };
}

/** What is ranked may also contain only some of the words. */
function onlyMatching({ passages, ...selected }: SelectedPassages, matches: Matches): SelectedPassages {
  return { ...selected, passages: passages.filter(({ item }) => matches.has(item.path)) };
}

/** The words that are neither in the index nor in the files that are not indexed. */
function findUnknownWords(
  asked: readonly AskedQuery[],
  { isExcluded }: SearchRequest,
  unindexed: readonly IndexedChunk[],
): string[] {
  // The index has the words of hidden files, too, and must not tell them apart from unknown ones.
  if (isExcluded !== undefined) return [];
  const words = new Set(asked.flatMap(({ parsed }) => [...parsed.misspelled]));
  return [...words].filter((word) => matchStaged(unindexed, parseQuery(word)).length === 0);
}

/** Several chunks may be of one note. */
function countCandidates({ extent }: Pick<SearchRequest, 'extent'>, maxShown: number): number {
  return Math.max(defaultCandidates, maxShown) * (extent === 'notes' ? chunksPerNote : 1);
}

/** The results of the queries that something fits, or of all if nothing does. */
function listsToShow({ lists }: Pick<RankedQueries, 'lists'>): RankedQueries['lists'] {
  const fitting = lists.filter(({ isFitting }) => isFitting);
  return fitting.length === 0 ? lists : fitting;
}

const nothingRanked = {
  chosen: { passages: [], count: 0, stale: [] },
  ranked: { lists: [], stages: [], degraded: [], inOverview: null },
  fits: true,
  nextLimit: null,
  findLines: () => [],
};

function toAskedQuery(
  { typed, text, isIncluded }: FilteredQuery,
  filter: SearchContext['filter'],
  index: ChunkIndex,
): AskedQuery {
  const isInScope = joinPredicates(filter.isInScope, isIncluded);
  const query = toRetrievalQuery(text, { ...filter, isInScope }, index);
  const isWordless = isIncluded !== null && query.parsed.terms.length === 0;
  return { ...query, typed, isIncluded, isWordless };
}

function joinPredicates(one: PathPredicate | null, other: PathPredicate | null): PathPredicate | null {
  if (one === null || other === null) return one ?? other;
  return (path) => one(path) && other(path);
}
