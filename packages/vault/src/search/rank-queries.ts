import type { VaultPath } from '../vault/index.ts';
import type { IndexedChunk } from './chunk-index.ts';
import type { Query } from './query.ts';
import type { RetrievalQuery, RetrievalStage, Retriever } from './lexical-retriever.ts';
import type { RankedList } from './load-passages.ts';
import { rankAllLines } from './passages.ts';
import type { CorpusStats, Scored } from './score-chunks.ts';
import type { PathPredicate } from './scopes.ts';
import { rankStaged } from './search-staged.ts';
import { createPhraseTest, createTextMatcher } from './text-matcher.ts';
import { stemTerm } from './tokenizer.ts';

/** A query of the caller, ready for retrieval. */
export type AskedQuery = RetrievalQuery & {
  /** As the caller wrote it. */
  typed: string;
  /** The notes that its own filters include; null for all. */
  isIncluded: PathPredicate | null;
};

type RankOptions = {
  mode: 'fast' | 'deep';
  retrieve: Retriever;
  /** Chunks of files in memory that are searched. */
  inMemory: readonly IndexedChunk[];
  /** Chunks of the overview and the profile if they are not searched. */
  overview: readonly IndexedChunk[];
  isSecondary: PathPredicate;
  /** For a result that shows every line that matches: whether a line does. */
  isMatching: ((path: VaultPath, line: number) => boolean) | null;
  statistics: CorpusStats;
};

export type RankedQueries = {
  lists: RankedList[];
  stages: RetrievalStage[];
  degraded: string[];
  /** The best line of the overview or the profile, if it fits well. */
  inOverview: { path: VaultPath; line: number } | null;
};

/** Score factor of session notes and templates: a note that says the same comes first. */
const secondaryWeight = 0.6;
/** Minimum score of a line of the overview or the profile that a model is told about. */
const minOverviewScore = 0.5;

/** Ranks the results of each query, from the index and from files in memory. */
export async function rankQueries(
  asked: readonly AskedQuery[],
  { mode, retrieve, inMemory, overview, isSecondary, isMatching, statistics }: RankOptions,
): Promise<RankedQueries> {
  const stages = new Set<RetrievalStage>();
  const degraded = new Set<string>();
  const lists: RankedList[] = [];
  let inOverview: Scored<IndexedChunk> | undefined;
  // Deep search combines the queries itself.
  for (const queries of mode === 'deep' ? [asked] : asked.map((query) => [query])) {
    const retrieved = await retrieve(queries);
    for (const stage of retrieved.stages) stages.add(stage);
    for (const warning of retrieved.degraded) degraded.add(warning);
    inOverview ??= rankStaged(overview, queries, statistics).find(({ score }) => score >= minOverviewScore);
    const scored = [...retrieved.ranked, ...rankStaged(inMemory, queries, statistics)];
    const ranked = scored
      .map((each) => (isSecondary(each.item.path) ? { ...each, score: each.score * secondaryWeight } : each))
      .toSorted((a, b) => b.score - a.score);
    lists.push({
      query: queries.map(({ typed }) => typed).join(' '),
      ranked,
      lines: rankAllLines(ranked, isMatching),
      isFitting: retrieved.stages.includes('vector') || queries.some((query) => fitsQuery(query, scored)),
    });
  }
  return {
    lists,
    stages: [...stages],
    degraded: [...degraded],
    inOverview: inOverview === undefined ? null : bestLineOf(inOverview),
  };
}

/**
 * The best score below which a query is about something that the vault does not have; a match of one word is worth less than a match of
 * one in ten, and a query with words that no result has needs more. `docs/search.md` has the figures.
 */
const minFittingScore = { base: 0.37, ofOneWord: 0.24, ofMissingWords: 0.25 };

/** Whether one of the results fits a query. Scores by meaning are not comparable. */
function fitsQuery({ parsed, isWordless }: AskedQuery, scored: readonly Scored<IndexedChunk>[]): boolean {
  if (isWordless) return true;
  const { base, ofOneWord, ofMissingWords } = minFittingScore;
  const words = new Set(parsed.terms.map(stemTerm)).size;
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  const surplus = best - base - ofOneWord / Math.max(1, words);
  if (surplus < 0 || (surplus < ofMissingWords && surplus < ofMissingWords * missingShare(parsed, scored)))
    return false;
  const hasPhrases = createPhraseTest(parsed);
  return hasPhrases === null || scored.some(({ item }) => hasPhrases([item.headingPath, item.body]));
}

/** The share of the words of a query that none of the results has as typed, or with an English ending. */
function missingShare(parsed: Query, scored: readonly Scored<IndexedChunk>[]): number {
  const corrections = new Map([...parsed.corrections].filter(([word]) => !parsed.misspelled.has(word)));
  const { parts, match } = createTextMatcher({ ...parsed, excluded: [], corrections });
  const found = new Set<number>();
  for (const { item } of scored)
    for (const text of [item.headingPath, item.body])
      for (const part of match(text)?.parts ?? []) found.add(part);
  return parts === 0 ? 0 : 1 - found.size / parts;
}

function bestLineOf({ item, lineScores }: Scored<IndexedChunk>): { path: VaultPath; line: number } {
  const best = lineScores.reduce(
    (most, { withNeighbors }, index) =>
      withNeighbors > (lineScores[most]?.withNeighbors ?? 0) ? index : most,
    0,
  );
  return { path: item.path, line: item.lines.start + best };
}
