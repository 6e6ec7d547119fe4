import { completeQuery } from './complete-query.ts';
import { fuse } from './fuse.ts';
import { parseQuery } from './query.ts';
import { rankSections } from './rank.ts';
import type { Ranked, Statistics } from './rank.ts';
import type { Filter, IndexedSection, SectionIndex } from './section-index.ts';

export type Stage = 'lexical' | 'expansion' | 'vector' | 'rerank';

/** Which sections fit the queries, best first, and how that was found out. */
type Retrieval = { ranked: Ranked<IndexedSection>[]; stages: Stage[]; degraded: string[] };
export type Retrieve = (queries: readonly string[], filter: Filter) => Promise<Retrieval>;

/** Candidates per query that are ranked in earnest. */
const candidateCount = 30;

/** By words alone: each query on its own, then one list. */
export function lexicalRetrieval(index: SectionIndex): Retrieve {
  return async (queries, filter) => {
    const lists = queries.map((query) => rankByWords(query, index, filter));
    return { ranked: fuse(lists), stages: ['lexical'], degraded: [] };
  };
}

export function rankByWords(query: string, index: SectionIndex, filter: Filter): Ranked<IndexedSection>[] {
  const parsed = completeQuery(parseQuery(query), index);
  return rankSections(parsed, index.lexical(parsed, filter, candidateCount), statisticsOf(index));
}

export function statisticsOf(index: SectionIndex): Statistics {
  return { sections: index.counts().sections, frequency: (word) => index.frequency(word) };
}
