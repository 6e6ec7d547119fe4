import type { LineRange } from '../vault/index.ts';
import { occurrencesIn } from './occurrences.ts';
import type { Occurrence } from './occurrences.ts';
import type { Query } from './query.ts';
import { fold, stemOf } from './words.ts';

/** A section that may be an answer; `keywords` is its BM25 in the index, where it comes from there. */
export type Candidate = { trail: string; body: string; lines: LineRange; keywords?: number };

/** What is known of all sections together. */
export type Statistics = {
  sections: number;
  /** In how many of them a word occurs. */
  frequency: (word: string) => number;
};

export type Ranked<Item> = {
  item: Item;
  /** 0 to 1. */
  score: number;
  /** How much each line of it has to do with the query, spread to its neighbours. */
  lineScores: number[];
};

/** Found by trying on two public question sets; `docs/search.md` says which and what each is worth. */
const weights = { passage: 0.8, coverage: 0.3, pairs: 0.4, allTerms: 0.1 };
const totalWeight = 1 + weights.passage + weights.coverage + weights.pairs + weights.allTerms;
/** How far, in tokens, a line's score reaches into its neighbours. */
const reach = 40;
/** Lengths in tokens at which a text is neither long nor short. */
const usual = { section: 400, line: 200 };
/** At most this many characters between two words that stand together. */
const near = 20;

/** The candidates of one query, best first. Those with the query as it was typed come before all others. */
export function rankSections<Item extends Candidate>(
  query: Query,
  candidates: readonly Item[],
  statistics: Statistics,
): Ranked<Item>[] {
  const wanted = wantedOf(query, candidates, statistics);
  const matches = candidates.flatMap((item) => {
    const match = matchSection(item, wanted);
    return match === null ? [] : [{ item, ...match }];
  });
  const best = highest(matches.map(({ keywords }) => keywords)) || 1;
  return matches
    .map(({ item, keywords, rest, isLiteral, lineScores }) => {
      const score = Math.min(1, (keywords / best + rest) / totalWeight);
      return { item, lineScores, score: isLiteral ? 0.9 + score / 10 : 0.9 * score };
    })
    .toSorted((a, b) => b.score - a.score);
}

type Wanted = {
  /** What each stem is worth: rare ones more. */
  worth: Map<string, number>;
  total: number;
  pairs: ReadonlySet<string>;
  literal: string;
  /** Words typed with accents that occur so: `bloqué` then no longer means `bloque`. */
  accented: ReadonlyMap<string, string>;
};

function wantedOf(
  { terms, literal, accented }: Query,
  candidates: readonly Candidate[],
  { sections, frequency }: Statistics,
): Wanted {
  const worth = new Map<string, number>();
  for (const term of terms) {
    const found = Math.min(frequency(term), sections);
    worth.set(stemOf(term), Math.max(0.1, Math.log(1 + (sections - found + 0.5) / (found + 0.5))));
  }
  const stems = terms.map(stemOf);
  const pairs = new Set(stems.slice(1).map((stem, index) => `${stems[index]} ${stem}`));
  const total = [...worth.values()].reduce((sum, each) => sum + each, 0) || 1;
  const occurring = [...accented].filter(([, typed]) => candidates.some((each) => hasWord(each, typed)));
  return { worth, total, pairs, literal: fold(literal), accented: new Map(occurring) };
}

function hasWord({ trail, body }: Candidate, typed: string): boolean {
  return `${trail}\n${body}`.normalize('NFC').toLowerCase().includes(typed);
}

type Match = { keywords: number; rest: number; isLiteral: boolean; lineScores: number[] };

/** Null when nothing but other accents were found. */
function matchSection(candidate: Candidate, wanted: Wanted): Match | null {
  const { trail, body, keywords } = candidate;
  const { worth, total, pairs, literal, accented } = wanted;
  const [foldedTrail, foldedBody] = [fold(trail), fold(body)];
  const others = new Set([...accented].flatMap(([word, typed]) => (hasWord(candidate, typed) ? [] : [word])));
  const find = (text: string): Occurrence[] =>
    occurrencesIn(text, worth.keys()).filter(({ start, end }) => !others.has(text.slice(start, end)));
  const [inTrail, inBody] = [find(foldedTrail), find(foldedBody)];
  const all = [...inTrail, ...inBody];
  if (all.length === 0 && others.size > 0) return null;
  const stems = new Set(all.map(({ stem }) => stem));
  const valueOf = (stem: string): number => worth.get(stem) ?? 0;
  const covered = [...stems].reduce((sum, stem) => sum + valueOf(stem), 0) / total;
  const lines = linesOf(foldedBody, inBody).map((line) => {
    const together = pairsIn(line.occurrences, pairs).reduce((sum, stem) => sum + valueOf(stem), 0) / total;
    const words = saturated(line.occurrences, valueOf, line.tokens / usual.line) / total;
    return { ...line, together, score: words + 0.5 * together };
  });
  return {
    keywords: keywords ?? saturated(all, valueOf, body.length / 4 / usual.section),
    rest:
      weights.passage * Math.min(1, highest(lines.map(({ score }) => score))) +
      weights.coverage * covered +
      weights.pairs * Math.min(1, highest(lines.map(({ together }) => together))) +
      (worth.size > 1 && stems.size === worth.size ? weights.allTerms : 0),
    isLiteral: literal !== '' && (foldedBody.includes(literal) || foldedTrail.includes(literal)),
    lineScores: spread(lines),
  };
}

type ScoredLine = { tokens: number; position: number; score: number };

function linesOf(
  text: string,
  occurrences: readonly Occurrence[],
): { tokens: number; position: number; occurrences: Occurrence[] }[] {
  let [start, position, next] = [0, 0, 0];
  return text.split('\n').map((line) => {
    const end = start + line.length;
    const first = next;
    while (next < occurrences.length && (occurrences[next]?.start ?? end) < end) next += 1;
    const tokens = tokensOfLine(line);
    position += tokens;
    start = end + 1;
    return { tokens, position: position - tokens / 2, occurrences: occurrences.slice(first, next) };
  });
}

/** What a line costs when it is shown, its number included. */
export function tokensOfLine(text: string): number {
  return (text.length + 7) / 4;
}

/** BM25: rare words count more, repetitions ever less, long texts less. */
function saturated(
  occurrences: readonly Occurrence[],
  valueOf: (stem: string) => number,
  relativeLength: number,
): number {
  const counts = new Map<string, number>();
  for (const { stem } of occurrences) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  let score = 0;
  for (const [stem, count] of counts)
    score += (valueOf(stem) * count * 2.2) / (count + 1.2 * (0.25 + 0.75 * relativeLength));
  return score;
}

/** The words that stand together in the query and near each other here. */
function pairsIn(occurrences: readonly Occurrence[], pairs: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [index, first] of occurrences.entries())
    for (const second of occurrences.slice(index + 1, index + 4))
      if (second.start - first.end <= near && pairs.has(`${first.stem} ${second.stem}`))
        found.add(`${first.stem} ${second.stem}`);
  return [...found].flatMap((pair) => pair.split(' '));
}

/**
 * A line next to one that matters matters, too: what is near counts as if it were here, only less. Once down and once
 * up, because what counts least fades the same from line to line.
 */
function spread(lines: readonly ScoredLine[]): number[] {
  const scores = lines.map(({ score }) => score);
  const carry = (from: number, to: number): void => {
    const [there, here] = [lines[from], lines[to]];
    if (there === undefined || here === undefined) return;
    const faded = (scores[from] ?? 0) * Math.exp(-Math.abs(there.position - here.position) / reach);
    scores[to] = Math.max(scores[to] ?? 0, faded);
  };
  for (let line = 1; line < lines.length; line += 1) carry(line - 1, line);
  for (let line = lines.length - 2; line >= 0; line -= 1) carry(line + 1, line);
  return scores;
}

/** Not Math.max: a section may have more lines than a call takes arguments. */
function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 0);
}
