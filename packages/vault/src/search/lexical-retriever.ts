import { correctQuery } from './correct-query.ts';
import { fuseRankings } from './rank-fusion.ts';
import { parseQuery } from './query.ts';
import type { Query } from './query.ts';
import { scoreChunks } from './score-chunks.ts';
import type { Scored, CorpusStats } from './score-chunks.ts';
import type { SearchFilter, IndexedChunk, ChunkIndex } from './chunk-index.ts';

export type RetrievalStage = 'lexical' | 'expansion' | 'vector' | 'rerank';

/** A query to rank chunks for. */
export type RetrievalQuery = {
  /** Without the filters that the caller typed. */
  text: string;
  parsed: Query;
  /** Whether the query has nothing but filters: then every note that fits them is a result. */
  isWordless: boolean;
  filter: SearchFilter;
  /** The number of candidates that are fully scored. */
  candidates: number;
  /** The ids of chunks that are scored, too. */
  required: readonly number[];
};

/** The matching chunks, best first, with the stages that ran and their warnings. */
type RetrievalResult = { ranked: Scored<IndexedChunk>[]; stages: RetrievalStage[]; degraded: string[] };
export type Retriever = (queries: readonly RetrievalQuery[]) => Promise<RetrievalResult>;

/** The number of secondary candidates above which others are looked for separately. */
const maxSecondary = 10;

/** Lexical search only: ranks each query separately and fuses the results. */
export function createLexicalRetriever(index: ChunkIndex): Retriever {
  return async (queries) => {
    const lists = queries.map((query) => rankLexically(query, index));
    return { ranked: fuseRankings(lists), stages: ['lexical'], degraded: [] };
  };
}

/** Number of candidates per query; a search with a higher limit has as many as it may show. */
export const defaultCandidates = 30;

/** A query without filters of its own, with corrections of the words that the index does not have. */
export function toRetrievalQuery(text: string, filter: SearchFilter, index: ChunkIndex): RetrievalQuery {
  const parsed = correctQuery(parseQuery(text), index);
  return { text, parsed, isWordless: false, filter, candidates: defaultCandidates, required: [] };
}

export function rankLexically(query: RetrievalQuery, index: ChunkIndex): Scored<IndexedChunk>[] {
  const { parsed } = query;
  if (query.isWordless) return index.newestNotes(query.filter, query.candidates).map(toWordless);
  const candidates = findCandidates(parsed, index, query);
  const known = new Set(candidates.map(({ id }) => id));
  const required = index.readChunks(query.required.filter((id) => !known.has(id)));
  return scoreChunks(parsed, [...candidates, ...required], corpusStats(index));
}

/** A note that fits the filters of a query without words: its beginning is shown. */
export function toWordless(item: IndexedChunk): Scored<IndexedChunk> {
  const lines = item.body.split('\n');
  const lineScores = lines.map((_, index) => {
    const score = index === 0 ? 1 : 0;
    return { direct: score, withNeighbors: score };
  });
  return { item, score: 1, lineScores };
}

/** If many of the candidates are secondary, adds the best others. */
function findCandidates(
  parsed: Query,
  index: ChunkIndex,
  { filter, candidates }: RetrievalQuery,
): IndexedChunk[] {
  const found = index.searchTerms(parsed, filter, candidates);
  const { isSecondary, isInScope } = filter;
  const secondary = isSecondary === undefined ? 0 : found.filter(({ path }) => isSecondary(path)).length;
  if (isSecondary === undefined || secondary <= maxSecondary || found.length < candidates) return found;
  const others = index.searchTerms(
    parsed,
    { ...filter, isInScope: (path) => isInScope?.(path) !== false && !isSecondary(path) },
    candidates,
  );
  return [...new Map([...found, ...others].map((chunk) => [chunk.id, chunk])).values()];
}

export function corpusStats(index: ChunkIndex): CorpusStats {
  return {
    chunks: index.counts().sections,
    frequency: (word) => index.documentFrequency(word),
    filesNamed: (name) => index.filesNamed(name),
  };
}
