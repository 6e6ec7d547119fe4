import { isNamed } from './named-dates.ts';
import { occurrencesIn, wantedBy } from './occurrences.ts';
import type { Occurrence, Wanted } from './occurrences.ts';
import type { Query } from './query.ts';
import type { IndexedSection } from './section-index.ts';
import { fold, stemOf } from './words.ts';

/** A section that may be an answer; `keywords` is its BM25 in the index, where it comes from there. */
export type Candidate = Pick<IndexedSection, 'kind' | 'trail' | 'body' | 'lines' | 'day' | 'keywords'>;

/** What is known of all sections together. */
export type Statistics = {
  sections: number;
  /** In how many of them a word occurs. */
  frequency: (word: string) => number;
};

/** How much a line has to do with a query: about 1 for one with all of its words. */
export type LineScore = {
  own: number;
  /** With what the lines next to it have of the words. */
  near: number;
};

export type Ranked<Item> = {
  item: Item;
  /** 0 to 1. */
  score: number;
  /** One for each line of it. */
  lineScores: LineScore[];
};

/** Found by trying on two public question sets; `docs/search.md` says which and what each is worth. */
const weights = { passage: 0.8, coverage: 0.5, pairs: 0.4, allTerms: 0.1, date: 0.8 };
const totalWeight = 1 + weights.passage + weights.coverage + weights.pairs + weights.allTerms;
/** What a word counts for a line that has others of the query, when it stands only in the headings above. */
const trailShare = 0.3;
/** What counts of the words in an HTML comment: it says how a note is kept, not what it says. */
const commentShare = 0.2;
/** What our own BM25 counts beside that of the index. */
const ownShare = 0.5;
/** What frontmatter counts beside the text below it. */
const propertiesShare = 0.7;
/** What a line gets of the words next to it: at most half, and the less the further away, in tokens. */
const neighbours = { most: 0.5, reach: 80 };
/** Lengths in tokens at which a text is neither long nor short. */
const usual = { section: 400, line: 200 };
/** At most this many characters between two words that stand together. */
const closeBy = 20;

/** The candidates of one query, best first. Those with the query as it was typed come before all others. */
export function rankSections<Item extends Candidate>(
  query: Query,
  candidates: readonly Item[],
  statistics: Statistics,
): Ranked<Item>[] {
  const asked = readAsked(query, candidates, statistics);
  const matches = candidates.flatMap((item) => {
    const match = matchSection(item, asked);
    return match === null ? [] : [{ item, ...match }];
  });
  const best = highest(matches.map(({ keywords }) => keywords)) || 1;
  return matches
    .map(({ item, keywords, rest, isLiteral, lineScores }) => {
      const fit = Math.min(1, (keywords / best + rest) / totalWeight);
      const score = item.kind === 'properties' ? propertiesShare * fit : fit;
      return { item, lineScores, score: isLiteral ? 0.9 + score / 10 : 0.9 * score };
    })
    .toSorted((a, b) => b.score - a.score);
}

/** A query with what its words are worth here. */
type Asked = {
  wanted: Wanted[];
  worthOf: (stem: string) => number;
  /** Of all words together. */
  total: number;
  wordCount: number;
  pairs: ReadonlySet<string>;
  literal: string;
  dates: Query['dates'];
  /** Words typed with accents that occur so: `bloqué` then no longer means `bloque`. */
  accented: ReadonlyMap<string, string>;
  /** Whether some of the words stand for others. */
  isGuessed: boolean;
};

function readAsked(
  query: Query,
  candidates: readonly Candidate[],
  { sections, frequency }: Statistics,
): Asked {
  const { terms, literal, accented, dates, meant, prefixes } = query;
  const worth = new Map<string, number>();
  for (const term of terms) {
    const found = Math.min(highest((meant.get(term) ?? [term]).map(frequency)), sections);
    worth.set(stemOf(term), Math.max(0.1, Math.log(1 + (sections - found + 0.5) / (found + 0.5))));
  }
  const stems = terms.map(stemOf);
  const occurring = [...accented].filter(([, typed]) => candidates.some((each) => hasWord(each, typed)));
  return {
    wanted: wantedBy(query),
    worthOf: (stem) => worth.get(stem) ?? 0,
    total: [...worth.values()].reduce((sum, each) => sum + each, 0) || 1,
    wordCount: worth.size,
    pairs: new Set(stems.slice(1).map((stem, index) => `${stems[index]} ${stem}`)),
    literal: fold(literal),
    dates,
    accented: new Map(occurring),
    isGuessed: meant.size + prefixes.size > 0,
  };
}

function hasWord({ trail, body }: Candidate, typed: string): boolean {
  return `${trail}\n${body}`.normalize('NFC').toLowerCase().includes(typed);
}

type Match = { keywords: number; rest: number; isLiteral: boolean; lineScores: LineScore[] };

/** Null when nothing but other accents was found, or only the stem of what a word was taken for. */
function matchSection(candidate: Candidate, asked: Asked): Match | null {
  const { trail, body, keywords, day } = candidate;
  const { wanted, worthOf, total, wordCount, literal, accented, dates, isGuessed } = asked;
  const [foldedTrail, foldedBody] = [fold(trail), fold(body)];
  const others = new Set([...accented].flatMap(([word, typed]) => (hasWord(candidate, typed) ? [] : [word])));
  const find = (text: string): Occurrence[] =>
    occurrencesIn(text, wanted).filter(({ start, end }) => !others.has(text.slice(start, end)));
  const comments = commentsIn(foldedBody);
  const [inTrail, inBody] = [find(foldedTrail), lessInComments(find(foldedBody), comments)];
  const all = [...inTrail, ...inBody];
  if (all.length === 0 && (others.size > 0 || isGuessed)) return null;
  const strengths = strongest(all);
  const lines = scoreLines(linesOf(foldedBody, inBody), strongest(inTrail), asked);
  return {
    // FTS5 knows all sections, but English inflections only.
    keywords: (keywords ?? 0) + ownShare * saturated(all, worthOf, body.length / 4 / usual.section),
    rest:
      weights.passage * Math.min(1, highest(lines.map(({ own }) => own))) +
      weights.coverage * (sumOf(strengths, worthOf) / total) +
      weights.pairs * Math.min(1, highest(lines.map(({ together }) => together))) +
      (wordCount > 1 && strengths.size === wordCount ? weights.allTerms : 0) +
      (isNamed(day, dates) ? weights.date : 0),
    isLiteral: literal !== '' && (foldedTrail.includes(literal) || isOutside(comments, foldedBody, literal)),
    lineScores: lines,
  };
}

/** How much of each word there is at best. */
function strongest(occurrences: readonly Occurrence[]): Map<string, number> {
  const strengths = new Map<string, number>();
  for (const { stem, strength } of occurrences)
    if (strength > (strengths.get(stem) ?? 0)) strengths.set(stem, strength);
  return strengths;
}

function sumOf(strengths: ReadonlyMap<string, number>, worthOf: (stem: string) => number): number {
  let sum = 0;
  for (const [stem, strength] of strengths) sum += strength * worthOf(stem);
  return sum;
}

type Span = { start: number; end: number };

function commentsIn(text: string): Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf('<!--'); start >= 0;) {
    const closing = text.indexOf('-->', start);
    const end = closing < 0 ? text.length : closing;
    spans.push({ start, end });
    start = text.indexOf('<!--', end);
  }
  return spans;
}

/** Tells whether a place is in one of the spans; both are asked in order, so that each span is looked at once. */
function isWithin(spans: readonly Span[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while (next < spans.length && (spans[next]?.end ?? at) <= at) next += 1;
    return at >= (spans[next]?.start ?? Infinity);
  };
}

function lessInComments(occurrences: Occurrence[], comments: readonly Span[]): Occurrence[] {
  if (comments.length === 0) return occurrences;
  const isInComment = isWithin(comments);
  return occurrences.map((each) =>
    isInComment(each.start) ? { ...each, strength: each.strength * commentShare } : each,
  );
}

/** Whether the literal stands in a text elsewhere than in its comments. */
function isOutside(comments: readonly Span[], text: string, literal: string): boolean {
  const isInComment = isWithin(comments);
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1))
    if (!isInComment(at)) return true;
  return false;
}

type TextLine = { tokens: number; position: number; occurrences: Occurrence[] };

function linesOf(text: string, occurrences: readonly Occurrence[]): TextLine[] {
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

function scoreLines(
  lines: readonly TextLine[],
  inTrail: ReadonlyMap<string, number>,
  asked: Asked,
): (LineScore & { together: number })[] {
  const { worthOf, total, pairs } = asked;
  return lines.map((line, index) => {
    const { occurrences, tokens } = line;
    const around = [...lentBy(lines[index - 1], line), ...lentBy(lines[index + 1], line)];
    if (occurrences.length + around.length === 0) return { own: 0, near: 0, together: 0 };
    const scoreOf = (words: readonly Occurrence[]): number =>
      saturated(words, worthOf, tokens / usual.line) / total;
    const together = pairsIn(occurrences, pairs).reduce((sum, stem) => sum + worthOf(stem), 0) / total;
    const own =
      occurrences.length === 0
        ? 0
        : scoreOf(occurrences) + together / 2 + trailShare * onlyAbove(occurrences, inTrail, asked);
    const near =
      around.length === 0 ? own : Math.max(own, scoreOf([...occurrences, ...around]) + together / 2);
    return { own, near, together };
  });
}

/** The share of the query that a line does not have, but the headings above it. */
function onlyAbove(
  occurrences: readonly Occurrence[],
  inTrail: ReadonlyMap<string, number>,
  { worthOf, total }: Asked,
): number {
  if (inTrail.size === 0) return 0;
  const here = new Set(occurrences.map(({ stem }) => stem));
  let sum = 0;
  for (const stem of inTrail.keys()) if (!here.has(stem)) sum += worthOf(stem);
  return sum / total;
}

/** The words of a neighbour as far as they count for a line. */
function lentBy(neighbour: TextLine | undefined, { position }: TextLine): Occurrence[] {
  if (neighbour === undefined || neighbour.occurrences.length === 0) return [];
  const distance = Math.abs(neighbour.position - position);
  const share = Math.min(neighbours.most, Math.exp(-distance / neighbours.reach));
  return neighbour.occurrences.map((each) => ({ ...each, strength: each.strength * share }));
}

/** BM25: rare words count more, repetitions ever less, long texts less. */
function saturated(
  occurrences: readonly Occurrence[],
  worthOf: (stem: string) => number,
  relativeLength: number,
): number {
  const counts = new Map<string, number>();
  for (const { stem, strength } of occurrences) counts.set(stem, (counts.get(stem) ?? 0) + strength);
  let score = 0;
  for (const [stem, count] of counts)
    score += (worthOf(stem) * count * 2.2) / (count + 1.2 * (0.25 + 0.75 * relativeLength));
  return score;
}

/** The words that stand together in the query and near each other here. */
function pairsIn(occurrences: readonly Occurrence[], pairs: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [index, first] of occurrences.entries())
    for (const second of occurrences.slice(index + 1, index + 4))
      if (second.start - first.end <= closeBy && pairs.has(`${first.stem} ${second.stem}`))
        found.add(`${first.stem} ${second.stem}`);
  return [...found].flatMap((pair) => pair.split(' '));
}

/** Not Math.max: a section may have more lines than a call takes arguments. */
function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 0);
}
