import type { LineRange, VaultPath } from '../vault/index.ts';
import { createOutlineParser } from '../vault/index.ts';
import { isBlank, enclosingParagraph } from './paragraph.ts';
import { estimateLineTokens } from './folded-text.ts';
import type { LineScore } from './score-chunks.ts';

/** A matching chunk with all lines of its file. */
export type PassageCandidate = {
  path: VaultPath;
  lines: LineRange;
  /** 0 to 1. */
  score: number;
  /** One for each line of the chunk. */
  lineScores: readonly LineScore[];
  fileLines: readonly string[];
  /** The first line after the frontmatter, counted from 1. */
  bodyStart: number;
};

/** The matching lines, extended to a logical unit, with lines of context. */
export type PassageRange = {
  /** Index of the chunk it comes from. */
  chunk: number;
  shown: LineRange;
  best: number;
  /** 0 to 1; passages are sorted by it. */
  score: number;
};

export type PassageLimits = {
  /** Token budget for all passages together. */
  tokenBudget: number;
  /** This many passages are shown even if they exceed the budget, up to `maxTokens` in total. */
  minPassages: number;
  maxTokens: number;
  /** Lines of context above and below each passage. */
  context: number;
  /** Maximum number of passages. */
  maxPassages: number;
  /** Passages that score less than this share of the best are omitted. */
  minRelativeScore: number;
  /** Score of a result that is probably noise; further passages must be better by a share of its distance to the best. */
  noise?: number;
};

/** In tokens: the block under a heading is shown whole up to this size. */
const maxBlockTokens = 250;
/** In characters: longer lines are truncated, because a single one would fill most of an answer. */
export const maxLineCharacters = 4_000;
/** Base score of a line from its chunk alone, independent of the query terms in the line. */
const baseLineScore = 0.3;
/** Score factor of every further passage of a chunk. */
const repeatPassageFactor = 0.9;
/** The share of the distance between noise and the best passage that a passage must exceed. */
const noiseMargin = 0.15;
/** Maximum number of lines per chunk that are considered. */
const maxLinesPerChunk = 100;

/**
 * Selects whole passages with context, best first, until the budget is used; passages that do not fit are skipped in
 * favor of smaller ones. The best passage is always shown. Adjacent or overlapping passages of a file are merged.
 * `left` is the remaining token budget.
 */
export function selectPassages(
  chunks: readonly PassageCandidate[],
  { tokenBudget, minPassages, maxTokens, context, maxPassages, minRelativeScore, noise = 0 }: PassageLimits,
): { passages: PassageRange[]; left: number } {
  const lines = chunks.flatMap(rankLines).toSorted((a, b) => b.value - a.value);
  const most = lines[0]?.value ?? 0;
  const least = minRelativeScore * most;
  const minAboveNoise = noise > 0 ? noise + noiseMargin * (most - noise) : 0;
  const snappers = chunks.map(createPassageExpander);
  let passages: PassageRange[] = [];
  let left = tokenBudget;
  for (const { chunk, line, value } of lines) {
    const { path, fileLines, bodyStart } = chunks[chunk] as PassageCandidate;
    const hasEnough = passages.length >= minPassages && (left <= 0 || value < minAboveNoise);
    if (value < least || passages.length >= maxPassages || hasEnough) break;
    const ofFile = passages.filter((each) => chunks[each.chunk]?.path === path);
    if (ofFile.some(({ shown }) => line >= shown.start && line <= shown.end)) continue;
    const { range, best } = (snappers[chunk] as PassageExpander)(line);
    const alone = {
      chunk,
      shown: addContextLines(range, fileLines, { bodyStart, context }),
      best,
      score: value,
    };
    const touching = ofFile.filter(({ shown }) => overlapsOrAdjoins(shown, alone.shown));
    const merged = touching.reduce(merge, alone);
    const cost =
      tokensIn(fileLines, merged.shown) -
      touching.reduce((sum, { shown }) => sum + tokensIn(fileLines, shown), 0);
    const isOwed =
      touching.length === 0 && passages.length < minPassages && tokenBudget - left + cost <= maxTokens;
    const isFirst = passages.length === 0;
    if (cost > left && !isOwed && !isFirst) continue;
    left -= cost;
    passages = [...passages.filter((each) => !touching.includes(each)), merged];
  }
  return { passages: passages.toSorted((a, b) => b.score - a.score), left };
}

type ScoredLine = { chunk: number; line: number; value: number };

/**
 * The lines of a chunk, best first. Always includes the best line; omits other lines that are blank, have no query
 * term nearby, or belong to the frontmatter.
 */
function rankLines(
  { lines, score, lineScores, fileLines, bodyStart }: PassageCandidate,
  chunk: number,
): ScoredLine[] {
  const first = indexOfBest(lineScores, 'withNeighbors');
  const valued = lineScores.flatMap(({ withNeighbors }, index) => {
    const line = lines.start + index;
    const value = passageScore(score, withNeighbors);
    if (index === first) return [{ chunk, line, value }];
    const isPromising = withNeighbors > 0 && line >= bodyStart && !isBlank(fileLines[line - 1]);
    return isPromising ? [{ chunk, line, value: repeatPassageFactor * value }] : [];
  });
  return valued.toSorted((a, b) => b.value - a.value).slice(0, maxLinesPerChunk);
}

/** The score of a passage from that of its chunk and its best line. */
export function passageScore(score: number, line: number): number {
  return (score * (baseLineScore + Math.min(1, line))) / (baseLineScore + 1);
}

function indexOfBest(scores: readonly LineScore[], of: keyof LineScore): number {
  let best = 0;
  for (const [index, score] of scores.entries()) if (score[of] > (scores[best]?.[of] ?? 0)) best = index;
  return best;
}

type PassageExpander = (line: number) => { range: LineRange; best: number };

/**
 * Expands a line to the unit to show: the chunk if it is short, otherwise the largest short block under a heading
 * above the line, otherwise the paragraph, list item or table row, otherwise the line alone. Frontmatter is a unit of
 * its own.
 */
function createPassageExpander({
  lines,
  fileLines,
  lineScores,
  bodyStart,
}: PassageCandidate): PassageExpander {
  // Includes the opening fence, although the fence is not indexed.
  const frontmatter = { start: 1, end: Math.min(lines.end, bodyStart - 1) };
  const body = trimBlankLines({ start: Math.max(lines.start, bodyStart), end: lines.end }, fileLines);
  let levels: number[] | null = null;
  const blockOf = (line: number, part: LineRange): LineRange => {
    if (fitsPassage(part, fileLines)) return part;
    levels ??= headingLevels({ start: body.start, end: lines.end }, fileLines);
    const block = enclosingHeadingBlock(line, part, (at) => levels?.[at - body.start] ?? 0, fileLines);
    const range = block ?? enclosingParagraph(line, part, fileLines);
    return fitsPassage(range, fileLines) ? range : { start: line, end: line };
  };
  return (line) => {
    const range = blockOf(line, line < bodyStart ? frontmatter : body);
    const first = Math.max(range.start, lines.start);
    const scores = lineScores.slice(first - lines.start, range.end - lines.start + 1);
    return { range, best: first + indexOfBest(scores, 'direct') };
  };
}

/** For each line, the level of the heading that starts there; 0 if none does. */
function headingLevels({ start, end }: LineRange, fileLines: readonly string[]): number[] {
  const outline = createOutlineParser();
  const levels: number[] = [];
  for (let line = start; line <= end; line += 1) {
    const { heading } = outline(fileLines[line - 1] ?? '');
    levels.push(0);
    if (heading !== null) levels[levels.length - heading.lines] = heading.level;
  }
  return levels;
}

/**
 * The largest short block around the line: from a heading above it to the next heading of the same or a higher level.
 * Null if every block is too long.
 */
function enclosingHeadingBlock(
  line: number,
  part: LineRange,
  levelOf: (line: number) => number,
  fileLines: readonly string[],
): LineRange | null {
  let block: LineRange | null = null;
  let inside = 7;
  // A short block has at most `maxBlockTokens` lines.
  for (let start = line; start >= Math.max(part.start, line - maxBlockTokens); start -= 1) {
    const level = levelOf(start);
    if ((level === 0 || level >= inside) && start > part.start) continue;
    // The innermost block ends at the next heading of any level, a wider block at the next heading of its own level.
    const rank = block === null || level === 0 ? 6 : level;
    let end = line;
    while (end < part.end && end - line <= maxBlockTokens && !isHeading(levelOf(end + 1), rank)) end += 1;
    const wider = trimBlankLines({ start, end }, fileLines);
    if (!fitsPassage(wider, fileLines)) break;
    block = wider;
    inside = level;
  }
  return block;
}

function isHeading(level: number, rank: number): boolean {
  return level > 0 && level <= rank;
}

/** Extends over blank lines to a line with text; never extends into the frontmatter. */
function addContextLines(
  { start, end }: LineRange,
  fileLines: readonly string[],
  { bodyStart, context }: { bodyStart: number; context: number },
): LineRange {
  if (context === 0) return { start, end };
  const first = Math.min(start, bodyStart);
  let [from, to] = [Math.max(first, start - context), Math.min(fileLines.length, end + context)];
  while (from > first && isBlank(fileLines[from - 1])) from -= 1;
  while (to < fileLines.length && isBlank(fileLines[to - 1])) to += 1;
  return trimBlankLines({ start: from, end: to }, fileLines);
}

function trimBlankLines({ start, end }: LineRange, fileLines: readonly string[]): LineRange {
  let [from, to] = [start, end];
  while (from < to && isBlank(fileLines[from - 1])) from += 1;
  while (to > from && isBlank(fileLines[to - 1])) to -= 1;
  return { start: from, end: to };
}

function overlapsOrAdjoins(a: LineRange, b: LineRange): boolean {
  return a.start <= b.end + 1 && b.start <= a.end + 1;
}

function merge(a: PassageRange, b: PassageRange): PassageRange {
  const shown = { start: Math.min(a.shown.start, b.shown.start), end: Math.max(a.shown.end, b.shown.end) };
  return { ...(a.score >= b.score ? a : b), shown };
}

function tokensIn(fileLines: readonly string[], { start, end }: LineRange): number {
  let tokens = 0;
  for (let line = start; line <= end; line += 1)
    tokens += Math.min(estimateLineTokens(fileLines[line - 1]?.length ?? 0), maxLineCharacters / 4);
  return tokens;
}

/** Whether the lines are short enough to be shown as one unit. */
function fitsPassage({ start, end }: LineRange, fileLines: readonly string[]): boolean {
  return end - start < maxBlockTokens && tokensIn(fileLines, { start, end }) <= maxBlockTokens;
}
