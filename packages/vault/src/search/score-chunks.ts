import { dateFromHeading } from './entry-dates.ts';
import { containsDate, matchesDate } from './parse-dates.ts';
import { foldText } from './folded-text.ts';
import type { FoldedText } from './folded-text.ts';
import { occursOutside, remainingShare, weighSpans } from './spans.ts';
import { findOccurrences, createTermMatchers } from './occurrences.ts';
import type { Occurrence, TermMatcher } from './occurrences.ts';
import type { Query } from './query.ts';
import type { IndexedChunk } from './chunk-index.ts';
import { normalizeText, stemTerm, tokenize } from './tokenizer.ts';

/** A chunk to score; `bm25` is its BM25 score if it comes from the index. */
export type ScorableChunk = Pick<
  IndexedChunk,
  'path' | 'kind' | 'headings' | 'headingPath' | 'body' | 'lines' | 'date' | 'bm25' | 'folded'
>;

/** Statistics over all chunks. */
export type CorpusStats = {
  chunks: number;
  /** The number of chunks that contain a word. */
  frequency: (word: string) => number;
  /** The number of files with this name, as `fileNameWords` returns it. */
  filesNamed: (name: string) => number;
};

/** Relevance of a line to a query; about 1 for a line with all terms. */
export type LineScore = {
  direct: number;
  /** Includes terms of the adjacent lines. */
  withNeighbors: number;
};

export type Scored<Item> = {
  item: Item;
  /** 0 to 1. */
  score: number;
  /** One for each line of the item. */
  lineScores: LineScore[];
};

/** Tuned on two public question sets; `docs/search.md` names them and the effect of each weight. */
const featureWeights = { passage: 0.8, coverage: 0.5, pairs: 0.4, allTerms: 0.1, date: 0.8 };
const totalWeight =
  1 + featureWeights.passage + featureWeights.coverage + featureWeights.pairs + featureWeights.allTerms;
/** Weight of a term that occurs only in the headings above, for a line that contains other terms. */
const headingPathWeight = 0.3;
/** Weight of terms that were typed with accents, in a chunk that has them with other accents only. */
const otherAccentWeight = 0.25;
/** Weight of terms in HTML comments, which describe how a note is maintained rather than its content. */
const commentWeight = 0.2;
/** Weight of terms in the turns of an AI in a conversation: people look for what they said themselves. */
const assistantWeight = { term: 0.5, chunk: 0.85 };
/** Score of a line of the date that the query names, independent of its terms. */
const datedLineScore = 0.3;
/** Score of a note whose name is the query; above an exact match in its text. */
const sameNameScore = 0.96;
/** Weight of our own BM25 relative to that of the index. */
const localBm25Weight = 0.5;
/** Score factor of frontmatter relative to body text. */
const frontmatterWeight = 0.7;
/** Weight of terms in adjacent lines: at most half, decreasing with the distance in tokens. */
const neighborDecay = { most: 0.5, reach: 80 };
/** Average lengths in tokens for the length normalization of BM25. */
const averageTokens = { chunk: 400, line: 200 };
/** Maximum number of characters between two adjacent terms. */
const maxPairGapCharacters = 20;

/**
 * Scores the candidates of one query, best first. Chunks that contain the query exactly as typed rank above all
 * others.
 */
export function scoreChunks<Item extends ScorableChunk>(
  query: Query,
  candidates: readonly Item[],
  statistics: CorpusStats,
): Scored<Item>[] {
  const folded = candidates.map((item) => ({ item, folded: item.folded ?? foldText(item) }));
  const prepared = readAsked(query, folded, statistics);
  const matches = folded.flatMap((each) => {
    const match = matchChunk(each.item, each.folded, prepared);
    return match === null ? [] : [{ ...each, ...match }];
  });
  const best = maxOf(matches.map(({ bm25 }) => bm25)) || 1;
  const scored = matches.map(
    ({ item, folded: { name }, bm25, featureScore, factor, isExactMatch, lineScores }) => {
      const fit = factor * Math.min(1, (bm25 / best + featureScore) / totalWeight);
      const score = item.kind === 'properties' ? frontmatterWeight * fit : fit;
      return { item, name, lineScores, score: isExactMatch ? 0.9 + score / 20 : 0.9 * score };
    },
  );
  return raiseSameNames(scored, prepared).toSorted((a, b) => b.score - a.score);
}

/** A note whose name is the query is a result even if its text has none of the terms; its beginning is shown. */
function raiseSameNames<Item extends ScorableChunk>(
  scored: readonly (Scored<Item> & { name: string })[],
  { words }: PreparedQuery,
): Scored<Item>[] {
  const wanted = words.join(' ');
  const first = new Map<string, Item>();
  for (const { item, name } of scored) {
    const known = first.get(item.path);
    const isNamed = wanted !== '' && typeof item.kind === 'string' && name === wanted;
    if (isNamed && (known === undefined || item.lines.start < known.lines.start)) first.set(item.path, item);
  }
  return scored.map(({ item, score, lineScores }) =>
    first.get(item.path) !== item
      ? { item, score, lineScores }
      : {
          item,
          score: sameNameScore + (1 - sameNameScore) * score,
          lineScores: lineScores.map((line, index) => (index === 0 ? { direct: 1, withNeighbors: 1 } : line)),
        },
  );
}

/** A query with the IDF weights of its terms. */
type PreparedQuery = {
  matchers: TermMatcher[];
  idfOf: (stem: string) => number;
  /** Sum over all terms. */
  total: number;
  termCount: number;
  pairs: ReadonlySet<string>;
  exactText: string;
  /** All words of the query. */
  words: readonly string[];
  filesNamed: CorpusStats['filesNamed'];
  dates: Query['dates'];
  /** Terms that were typed with accents and occur with these accents in a candidate. */
  accented: ReadonlyMap<string, string>;
  /** Whether some terms are prefixes or were corrected. */
  isExpanded: boolean;
};

function readAsked(
  query: Query,
  candidates: readonly { folded: FoldedText }[],
  { chunks, frequency, filesNamed }: CorpusStats,
): PreparedQuery {
  const { terms, exactText, accentedForms, dates, corrections, prefixes } = query;
  const idf = new Map<string, number>();
  for (const term of terms) {
    const found = Math.min(maxOf((corrections.get(term) ?? [term]).map(frequency)), chunks);
    idf.set(stemTerm(term), Math.max(0.1, Math.log(1 + (chunks - found + 0.5) / (found + 0.5))));
  }
  const stems = terms.map(stemTerm);
  const occurring = [...accentedForms].filter(([, typed]) =>
    candidates.some(({ folded }) => folded.hasAccented(typed)),
  );
  return {
    matchers: createTermMatchers(query),
    idfOf: (stem) => idf.get(stem) ?? 0,
    total: [...idf.values()].reduce((sum, each) => sum + each, 0) || 1,
    termCount: idf.size,
    pairs: new Set(stems.slice(1).map((stem, index) => `${stems[index]} ${stem}`)),
    exactText: normalizeText(exactText),
    words: tokenize(exactText),
    filesNamed,
    dates,
    accented: new Map(occurring),
    isExpanded: corrections.size + prefixes.size > 0,
  };
}

type ChunkMatch = {
  bm25: number;
  featureScore: number;
  /** Score factor of the whole chunk. */
  factor: number;
  isExactMatch: boolean;
  lineScores: LineScore[];
};

/** Null if the chunk contains only the stem of a corrected term. */
function matchChunk(
  candidate: ScorableChunk,
  folded: FoldedText,
  prepared: PreparedQuery,
): ChunkMatch | null {
  const { body, bm25 } = candidate;
  const { matchers, idfOf, total, termCount, exactText, accented, dates, isExpanded } = prepared;
  const { headingPath: foldedHeadingPath, body: foldedBody, comments, turns } = folded;
  const others = new Set([...accented].flatMap(([word, typed]) => (folded.hasAccented(typed) ? [] : [word])));
  const find = (text: string): Occurrence[] => {
    const found = findOccurrences(text, matchers);
    return others.size === 0
      ? found
      : found.map((each) =>
          others.has(text.slice(each.start, each.end))
            ? { ...each, strength: each.strength * otherAccentWeight }
            : each,
        );
  };
  const inText = find(foldedBody);
  const withoutComments = weighSpans(inText, comments, commentWeight);
  const inBody = weighSpans(withoutComments, turns, assistantWeight.term);
  const inHeadingPath = find(foldedHeadingPath);
  const all = [...inHeadingPath, ...inBody];
  if (all.length === 0 && isExpanded) return null;
  const strengths = maxWeightByStem(all);
  const isDated = isOfDate(candidate, dates);
  const inLines = scoreLines(linesOf(folded, inBody), maxWeightByStem(inHeadingPath), prepared);
  const lines = isDated
    ? inLines.map((line) => ({ ...line, withNeighbors: line.withNeighbors + datedLineScore }))
    : inLines;
  return {
    // The score of FTS5 uses statistics over all chunks, but stems English only and counts comments, so our own is added.
    bm25:
      (bm25 ?? 0) * remainingShare([...inHeadingPath, ...inText], [...inHeadingPath, ...withoutComments]) +
      localBm25Weight * bm25Score(all, idfOf, body.length / 4 / averageTokens.chunk),
    featureScore:
      featureWeights.passage * Math.min(1, maxOf(lines.map(({ direct }) => direct))) +
      featureWeights.coverage * (weightedSum(strengths, idfOf) / total) +
      featureWeights.pairs * Math.min(1, maxOf(lines.map(({ together }) => together))) +
      (termCount > 1 && strengths.size === termCount ? featureWeights.allTerms : 0) +
      (isDated ? featureWeights.date : 0) +
      nameShare(folded, prepared),
    factor: turns[0]?.start === 0 ? assistantWeight.chunk : 1,
    isExactMatch:
      exactText !== '' &&
      (foldedHeadingPath.includes(exactText) || occursOutside(comments, foldedBody, exactText)),
    lineScores: lines,
  };
}

/** A chunk without a date of its own, such as a calendar, may contain the dates in its headings or text. */
function isOfDate({ date, headings, headingPath, body }: ScorableChunk, dates: Query['dates']): boolean {
  if (date === '') return containsDate(`${headingPath}\n${body}`, dates);
  // Many notes are from the same month, so a month alone says little about the day of a note.
  const isEntry = dateFromHeading(headings) !== null;
  return matchesDate(date, isEntry ? dates : dates.filter(({ year, day }) => year !== null || day !== null));
}

/** 1 if the query contains the whole name of the note; less if several notes have that name. */
function nameShare({ name }: FoldedText, { words, filesNamed }: PreparedQuery): number {
  if (name === '' || !name.split(' ').every((word) => words.includes(word))) return 0;
  return 1 / Math.max(1, filesNamed(name));
}

/** The highest strength of each stem. */
function maxWeightByStem(occurrences: readonly Occurrence[]): Map<string, number> {
  const strengths = new Map<string, number>();
  for (const { stem, strength } of occurrences)
    if (strength > (strengths.get(stem) ?? 0)) strengths.set(stem, strength);
  return strengths;
}

function weightedSum(strengths: ReadonlyMap<string, number>, idfOf: (stem: string) => number): number {
  let sum = 0;
  for (const [stem, strength] of strengths) sum += strength * idfOf(stem);
  return sum;
}

type TextLine = { tokens: number; position: number; occurrences: readonly Occurrence[] };

const noOccurrences: readonly Occurrence[] = [];

function linesOf({ lines }: FoldedText, occurrences: readonly Occurrence[]): TextLine[] {
  let next = 0;
  return lines.map(({ end, tokens, position }) => {
    const first = next;
    while (next < occurrences.length && (occurrences[next]?.start ?? end) < end) next += 1;
    return {
      tokens,
      position,
      occurrences: first === next ? noOccurrences : occurrences.slice(first, next),
    };
  });
}

const unmatchedLine = { direct: 0, withNeighbors: 0, together: 0 };

function scoreLines(
  lines: readonly TextLine[],
  inHeadingPath: ReadonlyMap<string, number>,
  prepared: PreparedQuery,
): (LineScore & { together: number })[] {
  const { idfOf, total, pairs } = prepared;
  return lines.map((line, index) => {
    const { occurrences, tokens } = line;
    const [before, after] = [lines[index - 1], lines[index + 1]];
    if (occurrences.length + (before?.occurrences.length ?? 0) + (after?.occurrences.length ?? 0) === 0)
      return unmatchedLine;
    const around = [...neighborOccurrences(before, line), ...neighborOccurrences(after, line)];
    const scoreOf = (words: readonly Occurrence[]): number =>
      bm25Score(words, idfOf, tokens / averageTokens.line) / total;
    const together = adjacentPairs(occurrences, pairs).reduce((sum, stem) => sum + idfOf(stem), 0) / total;
    const direct =
      occurrences.length === 0
        ? 0
        : scoreOf(occurrences) +
          together / 2 +
          headingPathWeight * headingOnlyShare(occurrences, inHeadingPath, prepared);
    const withNeighbors =
      around.length === 0 ? direct : Math.max(direct, scoreOf([...occurrences, ...around]) + together / 2);
    return { direct, withNeighbors, together };
  });
}

/** The share of the query that occurs in the headings above a line but not in the line. */
function headingOnlyShare(
  occurrences: readonly Occurrence[],
  inHeadingPath: ReadonlyMap<string, number>,
  { idfOf, total }: PreparedQuery,
): number {
  if (inHeadingPath.size === 0) return 0;
  const here = new Set(occurrences.map(({ stem }) => stem));
  let sum = 0;
  for (const stem of inHeadingPath.keys()) if (!here.has(stem)) sum += idfOf(stem);
  return sum / total;
}

/** Occurrences of an adjacent line, with their strength reduced by distance. */
function neighborOccurrences(neighbour: TextLine | undefined, { position }: TextLine): Occurrence[] {
  if (neighbour === undefined || neighbour.occurrences.length === 0) return [];
  const distance = Math.abs(neighbour.position - position);
  const share = Math.min(neighborDecay.most, Math.exp(-distance / neighborDecay.reach));
  return neighbour.occurrences.map((each) => ({ ...each, strength: each.strength * share }));
}

/** BM25: rare terms weigh more; repetitions and long texts weigh less. */
function bm25Score(
  occurrences: readonly Occurrence[],
  idfOf: (stem: string) => number,
  relativeLength: number,
): number {
  const counts = new Map<string, number>();
  for (const { stem, strength } of occurrences) counts.set(stem, (counts.get(stem) ?? 0) + strength);
  let score = 0;
  for (const [stem, count] of counts)
    score += (idfOf(stem) * count * 2.2) / (count + 1.2 * (0.25 + 0.75 * relativeLength));
  return score;
}

/** Terms that are adjacent in the query and close together in the text. */
function adjacentPairs(occurrences: readonly Occurrence[], pairs: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [index, first] of occurrences.entries())
    for (const second of occurrences.slice(index + 1, index + 4))
      if (second.start - first.end <= maxPairGapCharacters && pairs.has(`${first.stem} ${second.stem}`))
        found.add(`${first.stem} ${second.stem}`);
  return [...found].flatMap((pair) => pair.split(' '));
}

/** Not Math.max(...): a chunk may have more lines than a call can take arguments. */
function maxOf(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 0);
}
