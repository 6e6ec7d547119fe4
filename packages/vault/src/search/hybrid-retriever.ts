import { describeError } from '../contract/index.ts';
import { withAbort } from '../models/index.ts';
import type { Embedder, Expander, Expansion, Reranker } from '../models/index.ts';
import { fuseRankings, maxLineScore } from './rank-fusion.ts';
import { isIndexUnusable } from './qmd/index-error.ts';
import type { Scored } from './score-chunks.ts';
import { rankLexically, toRetrievalQuery } from './lexical-retriever.ts';
import type { RetrievalQuery, Retriever, RetrievalStage } from './lexical-retriever.ts';
import type { IsExcluded, IndexedChunk, SearchFilter, VectorHit, ChunkIndex } from './chunk-index.ts';
import { splitIntoWindows } from './windows.ts';
import type { Window } from './windows.ts';

/** The models available to search. Each stage whose model is missing is skipped and reported as a warning. */
export type SearchModels = {
  embedder: Embedder | null;
  /** Why no embedder is available, and how to set one up. */
  embedderUnavailableReason: string;
  expander: Expander | null;
  reranker: Reranker | null;
  /** Files hidden from AI; null if none are hidden. */
  isExcluded: IsExcluded | null;
};

/** Timeout of each stage in milliseconds. A stage that times out is skipped. */
type StageTimeouts = { expansion: number; embedding: number; rerank: number };

const defaultStageTimeouts: StageTimeouts = { expansion: 8_000, embedding: 8_000, rerank: 10_000 };

/**
 * Weight of the semantic score relative to the lexical score. If the best lexical match is good, the lexical score
 * dominates: a small embedding model alone finds far less, and more weight does worse than keywords alone. If it is
 * poor, as for a paraphrase that shares no word with its answer, the semantic score dominates.
 */
const semanticBlend = { poor: 0.5, good: 0.6, whenPoor: 0.8, whenGood: 0.2 };
/** Similarities are scaled relative to each other, so the candidates must reach down to unrelated chunks. */
const vectorCandidates = 60;
const rerankWeight = 0.5;
const maxReranked = 20;

export function createHybridRetriever(
  index: ChunkIndex,
  choose: () => SearchModels,
  deadlines = defaultStageTimeouts,
): Retriever {
  return async (queries) => {
    const texts = queries.flatMap(({ text, isWordless }) => (isWordless ? [] : [text]));
    const models = choose();
    const stages: RetrievalStage[] = ['lexical'];
    const degraded: string[] = [];
    /** Runs a stage within its timeout. Returns null if it has no model or fails; a failure adds a warning. */
    const stage = async <Model, Value>(
      name: RetrievalStage,
      model: Model | null,
      milliseconds: number,
      work: (model: Model, signal: AbortSignal) => Promise<Value>,
    ): Promise<Value | null> => {
      if (model === null) return null;
      try {
        const signal = AbortSignal.timeout(milliseconds);
        const value = await withAbort(signal, () => work(model, signal));
        stages.push(name);
        return value;
      } catch (error) {
        // A damaged index is not a stage failure: the code that opened the index has to rebuild it.
        if (isIndexUnusable(error)) throw error;
        degraded.push(explain(name, error, milliseconds));
        return null;
      }
    };

    const expansions =
      (await stage('expansion', models.expander, deadlines.expansion, async (expander, signal) =>
        (await Promise.all(texts.map((text) => expander.expand(text, signal)))).flat(),
      )) ?? [];
    const asked = queries.map((query) => rankLexically(query, index));
    const filter = joinFilters(queries);
    const byWords = fuseRankings([
      ...asked,
      ...textsOf(expansions, 'lex').map((text) =>
        rankLexically(toRetrievalQuery(text, filter, index), index),
      ),
    ]);
    if (models.embedder === null)
      degraded.unshift(`keyword matches only: ${models.embedderUnavailableReason}`);
    const byMeaning = await stage(
      'vector',
      texts.length === 0 ? null : models.embedder,
      deadlines.embedding,
      async (embedder, signal) => {
        const vectors = await embedder.embed([...texts, ...textsOf(expansions, 'vec')], 'query', signal);
        const passages = textsOf(expansions, 'hyde');
        if (passages.length > 0) vectors.push(...(await embedder.embed(passages, 'document', signal)));
        const table = index.vectors(embedder.fingerprint);
        const lists: VectorHit[][] = [];
        for (const vector of vectors) {
          signal.throwIfAborted();
          lists.push(await table.nearest(vector, filter, vectorCandidates));
        }
        const nearest = nearestOf(lists, embedder);
        const missing = table.countWithoutVectors(models.isExcluded);
        if (missing > 0 && missing === table.countVisible(models.isExcluded))
          throw new Error('no vectors for this model yet; run keepsake index');
        if (missing > 0) degraded.push(`${missing} passages are not embedded yet; run keepsake index`);
        return nearest;
      },
    );
    const best = Math.max(0, ...asked.map(([first]) => first?.score ?? 0));
    const blended = byMeaning === null ? byWords : mergeScores(byWords, byMeaning, semanticWeight(best));
    const shown = blended
      .slice(0, maxReranked)
      .map(({ item }) => item)
      .filter(({ path }) => models.isExcluded?.(path) !== true);
    const scores = await stage(
      'rerank',
      texts.length === 0 ? null : models.reranker,
      deadlines.rerank,
      async (reranker, signal) => {
        const candidates = shown.map(({ headingPath, body }) => `${headingPath}\n${body}`);
        const given = await reranker.score(texts.join('\n'), candidates, signal);
        return new Map(shown.map(({ id }, place) => [id, given[place] ?? 0]));
      },
    );
    return { ranked: scores === null ? blended : applyRerank(blended, scores), stages, degraded };
  };
}

/** What one of the queries includes. */
function joinFilters(queries: readonly RetrievalQuery[]): SearchFilter {
  const filters = queries.map(({ filter }) => filter);
  const [first = { isInScope: null, from: null, to: null }] = filters;
  return {
    ...first,
    isInScope: filters.some(({ isInScope }) => isInScope === null)
      ? null
      : (path) => filters.some(({ isInScope }) => isInScope?.(path) === true),
  };
}

function textsOf(expansions: readonly Expansion[], type: Expansion['type']): string[] {
  return expansions.flatMap((each) => (each.type === type ? [each.text] : []));
}

function explain(name: RetrievalStage, error: unknown, milliseconds: number): string {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  const reason = isLate ? `timed out after ${milliseconds / 1000} s` : describeError(error);
  return `${name} skipped: ${reason}`;
}

/** The better the best lexical match, the lower the semantic weight. */
function semanticWeight(best: number): number {
  const confidence = Math.min(
    1,
    Math.max(0, (best - semanticBlend.poor) / (semanticBlend.good - semanticBlend.poor)),
  );
  return semanticBlend.whenPoor + (semanticBlend.whenGood - semanticBlend.whenPoor) * confidence;
}

type SemanticHit = { chunk: IndexedChunk; similarity: number; lines: Pick<Window, 'first' | 'last'> };

/**
 * Keeps each chunk once, with its highest similarity to any of the vectors and the lines of its most similar window.
 */
function nearestOf(lists: readonly VectorHit[][], embedder: Embedder): SemanticHit[] {
  const nearest = new Map<IndexedChunk['id'], VectorHit>();
  for (const each of lists.flat())
    if (each.similarity > (nearest.get(each.chunk.id)?.similarity ?? -2)) nearest.set(each.chunk.id, each);
  return [...nearest.values()].map(({ chunk, similarity, window }) => {
    const windows = splitIntoWindows(chunk.headingPath, chunk.body, embedder);
    return { chunk, similarity, lines: windows[window] ?? { first: 0, last: 0 } };
  });
}

/**
 * Merges both lists after scaling each to 0–1. Squaring the lexical scores makes the best keyword matches stand out.
 */
function mergeScores(
  byWords: readonly Scored<IndexedChunk>[],
  byMeaning: readonly SemanticHit[],
  weight: number,
): Scored<IndexedChunk>[] {
  const best = byWords[0]?.score ?? 1;
  const similarities = byMeaning.map(({ similarity }) => similarity);
  const [least, most] = [Math.min(...similarities), Math.max(...similarities)];
  const blended = new Map(
    byWords.map((each) => [each.item.id, { ...each, score: (1 - weight) * (each.score / best) ** 2 }]),
  );
  for (const { chunk, similarity, lines } of byMeaning) {
    const known = blended.get(chunk.id) ?? {
      item: chunk,
      score: 0,
      lineScores: chunk.body.split('\n').map(() => ({ direct: 0, withNeighbors: 0 })),
    };
    const share = most > least ? (similarity - least) / (most - least) : 1;
    /**
     * A line scores as if it contained this share of the terms; less if the semantic weight is below the lexical
     * weight.
     */
    const ofLine = share * Math.min(1, weight / (1 - weight));
    blended.set(chunk.id, {
      item: known.item,
      score: known.score + weight * share,
      lineScores: known.lineScores.map((score, line) =>
        line >= lines.first && line <= lines.last
          ? maxLineScore(score, { direct: ofLine, withNeighbors: ofLine })
          : score,
      ),
    });
  }
  return [...blended.values()].toSorted((a, b) => b.score - a.score);
}

function applyRerank(
  ranked: readonly Scored<IndexedChunk>[],
  scores: ReadonlyMap<IndexedChunk['id'], number>,
): Scored<IndexedChunk>[] {
  return ranked
    .map((each) => {
      const score = scores.get(each.item.id);
      return score === undefined
        ? { ...each, score: each.score * (1 - rerankWeight) }
        : { ...each, score: each.score * (1 - rerankWeight) + score * rerankWeight };
    })
    .toSorted((a, b) => b.score - a.score);
}
