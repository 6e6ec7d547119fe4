import { describeError } from '../contract/index.ts';
import { abortable } from '../models/index.ts';
import type { Embedder, Expander, Expansion, Reranker } from '../models/index.ts';
import { fuse, higher } from './fuse.ts';
import { isUnusable } from './qmd/unusable-index.ts';
import type { Ranked } from './rank.ts';
import { rankByWords } from './retrieve.ts';
import type { Retrieve, Stage } from './retrieve.ts';
import type { Exclusion, IndexedSection, NearSection, SectionIndex } from './section-index.ts';
import { windowsOf } from './windows.ts';
import type { Window } from './windows.ts';

/** The models there are; what is missing is done without, and said. */
export type SearchModels = {
  embedder: Embedder | null;
  /** Why there is none, and what to do. */
  withoutEmbedder: string;
  expander: Expander | null;
  reranker: Reranker | null;
  /** Files that are not shown to any model; null when all are. */
  isExcluded: Exclusion | null;
};

/** How long each stage may take, in milliseconds. What it has not done by then is done without. */
type Deadlines = { expansion: number; embedding: number; rerank: number };

const usualDeadlines: Deadlines = { expansion: 8_000, embedding: 8_000, rerank: 10_000 };

/**
 * How much meanings count beside words. Where the best match by words is good, words decide: a small embedding model
 * alone finds far less than they do, and mixing both equally is worse than words. Where it is poor, meanings decide.
 */
const meaning = { poor: 0.55, good: 0.75, whenPoor: 0.8, whenGood: 0.35 };
/** So many that similarities, which are compared with each other, reach down to what is not related. */
const nearestCount = 60;
const rerankWeight = 0.5;
const mostReranked = 20;

export function deepRetrieval(
  index: SectionIndex,
  choose: () => SearchModels,
  deadlines = usualDeadlines,
): Retrieve {
  return async (queries, filter) => {
    const models = choose();
    const stages: Stage[] = ['lexical'];
    const degraded: string[] = [];
    /** Runs a stage within its deadline; without its model, or when it fails, gives null and says so. */
    const stage = async <Model, Value>(
      name: Stage,
      model: Model | null,
      milliseconds: number,
      work: (model: Model, signal: AbortSignal) => Promise<Value>,
    ): Promise<Value | null> => {
      if (model === null) return null;
      try {
        const signal = AbortSignal.timeout(milliseconds);
        const value = await abortable(signal, () => work(model, signal));
        stages.push(name);
        return value;
      } catch (error) {
        // Not for a stage to do without: whoever opened the index makes it anew.
        if (isUnusable(error)) throw error;
        degraded.push(explain(name, error, milliseconds));
        return null;
      }
    };

    const expansions =
      (await stage('expansion', models.expander, deadlines.expansion, async (expander, signal) =>
        (await Promise.all(queries.map((query) => expander.expand(query, signal)))).flat(),
      )) ?? [];
    const asked = queries.map((query) => rankByWords(query, index, filter));
    const byWords = fuse([
      ...asked,
      ...textsOf(expansions, 'lex').map((text) => rankByWords(text, index, filter)),
    ]);
    if (models.embedder === null) degraded.unshift(`only words were compared: ${models.withoutEmbedder}`);
    const byMeaning = await stage(
      'vector',
      models.embedder,
      deadlines.embedding,
      async (embedder, signal) => {
        const vectors = await embedder.embed([...queries, ...textsOf(expansions, 'vec')], 'query', signal);
        const passages = textsOf(expansions, 'hyde');
        if (passages.length > 0) vectors.push(...(await embedder.embed(passages, 'document', signal)));
        const table = index.vectors(embedder.fingerprint);
        const lists: NearSection[][] = [];
        for (const vector of vectors) {
          signal.throwIfAborted();
          lists.push(await table.nearest(vector, filter, nearestCount));
        }
        const nearest = nearestOf(lists, embedder);
        const missing = table.missingCount(models.isExcluded);
        if (missing > 0 && missing === table.seenCount(models.isExcluded))
          throw new Error('no section has a vector of this model yet: run keepsake index');
        if (missing > 0) degraded.push(`${missing} sections have no vectors yet: run keepsake index`);
        return nearest;
      },
    );
    const best = Math.max(0, ...asked.map(([first]) => first?.score ?? 0));
    const blended = byMeaning === null ? byWords : blend(byWords, byMeaning, weightOfMeaning(best));
    const shown = blended
      .slice(0, mostReranked)
      .map(({ item }) => item)
      .filter(({ path }) => models.isExcluded?.(path) !== true);
    const scores = await stage('rerank', models.reranker, deadlines.rerank, async (reranker, signal) => {
      const texts = shown.map(({ trail, body }) => `${trail}\n${body}`);
      const given = await reranker.score(queries.join('\n'), texts, signal);
      return new Map(shown.map(({ id }, place) => [id, given[place] ?? 0]));
    });
    return { ranked: scores === null ? blended : reorder(blended, scores), stages, degraded };
  };
}

function textsOf(expansions: readonly Expansion[], type: Expansion['type']): string[] {
  return expansions.flatMap((each) => (each.type === type ? [each.text] : []));
}

function explain(name: Stage, error: unknown, milliseconds: number): string {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  const reason = isLate ? `took more than ${milliseconds / 1000} s` : describeError(error);
  return `${name} was left out: ${reason}`;
}

/** By how good the best match by words is. */
function weightOfMeaning(best: number): number {
  const confidence = Math.min(1, Math.max(0, (best - meaning.poor) / (meaning.good - meaning.poor)));
  return meaning.whenPoor + (meaning.whenGood - meaning.whenPoor) * confidence;
}

type Nearest = { section: IndexedSection; similarity: number; lines: Pick<Window, 'first' | 'last'> };

/** Each section once, as near as it is to any of the vectors, with the lines that are. */
function nearestOf(lists: readonly NearSection[][], embedder: Embedder): Nearest[] {
  const nearest = new Map<IndexedSection['id'], NearSection>();
  for (const each of lists.flat())
    if (each.similarity > (nearest.get(each.section.id)?.similarity ?? -2))
      nearest.set(each.section.id, each);
  return [...nearest.values()].map(({ section, similarity, window }) => {
    const windows = windowsOf(section.trail, section.body, embedder);
    return { section, similarity, lines: windows[window] ?? { first: 0, last: 0 } };
  });
}

/** Both lists in one, each on a scale of its own from 0 to 1; by words the best stand out more. */
function blend(
  byWords: readonly Ranked<IndexedSection>[],
  byMeaning: readonly Nearest[],
  weight: number,
): Ranked<IndexedSection>[] {
  const best = byWords[0]?.score ?? 1;
  const similarities = byMeaning.map(({ similarity }) => similarity);
  const [least, most] = [Math.min(...similarities), Math.max(...similarities)];
  const blended = new Map(
    byWords.map((each) => [each.item.id, { ...each, score: (1 - weight) * (each.score / best) ** 2 }]),
  );
  for (const { section, similarity, lines } of byMeaning) {
    const known = blended.get(section.id) ?? {
      item: section,
      score: 0,
      lineScores: section.body.split('\n').map(() => ({ own: 0, near: 0 })),
    };
    const share = most > least ? (similarity - least) / (most - least) : 1;
    /** As if a line had this share of the words, where meanings count as much as words or more. */
    const ofLine = share * Math.min(1, weight / (1 - weight));
    blended.set(section.id, {
      item: known.item,
      score: known.score + weight * share,
      lineScores: known.lineScores.map((score, line) =>
        line >= lines.first && line <= lines.last ? higher(score, { own: ofLine, near: ofLine }) : score,
      ),
    });
  }
  return [...blended.values()].toSorted((a, b) => b.score - a.score);
}

function reorder(
  ranked: readonly Ranked<IndexedSection>[],
  scores: ReadonlyMap<IndexedSection['id'], number>,
): Ranked<IndexedSection>[] {
  return ranked
    .map((each) => {
      const score = scores.get(each.item.id);
      return score === undefined
        ? { ...each, score: each.score * (1 - rerankWeight) }
        : { ...each, score: each.score * (1 - rerankWeight) + score * rerankWeight };
    })
    .toSorted((a, b) => b.score - a.score);
}
