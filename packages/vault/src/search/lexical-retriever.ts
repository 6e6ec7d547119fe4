import { correctQuery } from './correct-query.ts';
import { fuseRankings } from './rank-fusion.ts';
import { parseQuery } from './query.ts';
import type { Query } from './query.ts';
import { scoreChunks } from './score-chunks.ts';
import type { Scored, CorpusStats } from './score-chunks.ts';
import type { SearchFilter, IndexedChunk, ChunkIndex } from './chunk-index.ts';

export type RetrievalStage = 'lexical' | 'expansion' | 'vector' | 'rerank';

/** The matching chunks, best first, with the stages that ran and their warnings. */
type RetrievalResult = { ranked: Scored<IndexedChunk>[]; stages: RetrievalStage[]; degraded: string[] };
export type Retriever = (queries: readonly string[], filter: SearchFilter) => Promise<RetrievalResult>;

/** Number of candidates per query that are fully scored. */
const candidatesPerQuery = 30;
/** The number of secondary candidates above which others are looked for separately. */
const maxSecondary = 10;

/** Lexical search only: ranks each query separately and fuses the results. */
export function createLexicalRetriever(index: ChunkIndex): Retriever {
  return async (queries, filter) => {
    const lists = queries.map((query) => rankLexically(query, index, filter));
    return { ranked: fuseRankings(lists), stages: ['lexical'], degraded: [] };
  };
}

export function rankLexically(
  query: string,
  index: ChunkIndex,
  filter: SearchFilter,
): Scored<IndexedChunk>[] {
  const parsed = correctQuery(parseQuery(query), index);
  return scoreChunks(parsed, findCandidates(parsed, index, filter), corpusStats(index));
}

/** If many of the candidates are secondary, adds the best others. */
function findCandidates(parsed: Query, index: ChunkIndex, filter: SearchFilter): IndexedChunk[] {
  const found = index.searchTerms(parsed, filter, candidatesPerQuery);
  const { isSecondary, isInScope } = filter;
  const secondary = isSecondary === undefined ? 0 : found.filter(({ path }) => isSecondary(path)).length;
  if (isSecondary === undefined || secondary <= maxSecondary || found.length < candidatesPerQuery)
    return found;
  const others = index.searchTerms(
    parsed,
    { ...filter, isInScope: (path) => isInScope?.(path) !== false && !isSecondary(path) },
    candidatesPerQuery,
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
