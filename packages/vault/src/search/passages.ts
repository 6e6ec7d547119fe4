import type { LineRange, VaultPath } from '../vault/index.ts';
import { createOutlineParser } from '../vault/index.ts';
import { isBlank, enclosingParagraph } from './paragraph.ts';
import { estimateLineTokens } from './folded-text.ts';
import type { IndexedChunk } from './chunk-index.ts';
import type { LoadChunk, LoadedChunk, LoadedFile } from './load-chunks.ts';
import type { LineScore, Scored } from './score-chunks.ts';

/** The matching lines, extended to a logical unit, with lines of context. */
export type PassageRange = LoadedChunk & {
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
  /** Only the best passage of each note is shown. */
  onePerNote: boolean;
  /** Maximum number of passages, counted before adjacent ones are merged. */
  maxPassages: number;
  /** Passages that score less than this share of the best are omitted. */
  minRelativeScore: number;
  /** Score of a result that is probably noise; further passages must be better by a share of its distance to the best. */
  noise: number;
};

export type SelectedPassages = {
  passages: PassageRange[];
  /** The number of passages before adjacent ones were merged. */
  count: number;
  /** Files that have changed since they were indexed. */
  stale: VaultPath[];
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
/** Share of a property's score from which a line of the text is shown in its place. */
const minTextShare = 0.75;
/** Maximum number of lines per chunk that are considered. */
const maxLinesPerChunk = 100;

/** Score factor of an image relative to the note that links to it. */
const imageScoreFactor = 0.8;

/** Selects passages; stops early at a line for which `isEnough` is true. */
export type SelectPassages = (
  lines: readonly ScoredLine[],
  limits: PassageLimits,
  isEnough?: (path: VaultPath, line: number) => boolean,
) => Promise<SelectedPassages>;

/**
 * Creates a function that selects whole passages around the given lines, best first, until the budget is used; passages that do not
 * fit are skipped in favor of smaller ones. The best passage is always shown. Adjacent or overlapping passages of a file are merged.
 * Only the chunks of selected passages are loaded.
 */
export function createPassageSelector(load: LoadChunk): SelectPassages {
  const expanders = new Map<Scored<IndexedChunk>, PassageExpander>();
  const expand = (loaded: LoadedChunk, { chunk, line }: ScoredLine): ReturnType<PassageExpander> => {
    const known = expanders.get(chunk) ?? createPassageExpander(loaded, chunk.lineScores);
    expanders.set(chunk, known);
    return known(line);
  };
  return async (
    lines,
    { tokenBudget, minPassages, maxTokens, context, onePerNote, maxPassages, minRelativeScore, noise },
    isEnough,
  ) => {
    const most = lines[0]?.value ?? 0;
    const least = minRelativeScore * most;
    const minAboveNoise = noise > 0 ? noise + noiseMargin * (most - noise) : 0;
    const byPath = new Map<VaultPath, PassageRange[]>();
    const stale = new Set<VaultPath>();
    const isCovered = (ofFile: readonly PassageRange[] | undefined, line: number): boolean =>
      onePerNote ? ofFile !== undefined && ofFile.length > 0 : isShown(ofFile, line);
    let [left, count, blocks] = [tokenBudget, 0, 0];
    for (const each of lines) {
      const { chunk, line, value, mayBeFrontmatter } = each;
      const hasEnough = blocks >= minPassages && (left <= 0 || value < minAboveNoise);
      if (value < least || count >= maxPassages || hasEnough) break;
      // Which image it is, is known once it is loaded.
      if (typeof chunk.item.kind === 'string' && isCovered(byPath.get(chunk.item.path), line)) continue;
      const loaded = await load(chunk.item);
      if (loaded === 'stale') stale.add(chunk.item.path);
      if (loaded === 'stale' || loaded === null) continue;
      const { item, file } = loaded;
      const ofFile = byPath.get(item.path) ?? [];
      // Frontmatter that matches besides the text of a note says nothing new.
      if (isCovered(ofFile, line) || (line < file.bodyStart && !mayBeFrontmatter)) continue;
      const { range, best } = expand(loaded, onePerNote ? preferText(each, file) : each);
      const alone = { ...loaded, shown: addContextLines(range, file, context), best, score: value };
      const touching = ofFile.filter(({ shown }) => overlapsOrAdjoins(shown, alone.shown));
      const merged = touching.reduce(mergePassages, alone);
      const cost =
        tokensIn(file.lines, merged.shown) -
        touching.reduce((sum, { shown }) => sum + tokensIn(file.lines, shown), 0);
      const isOwed = touching.length === 0 && blocks < minPassages && tokenBudget - left + cost <= maxTokens;
      if (cost > left && !isOwed && blocks > 0) continue;
      left -= cost;
      count += 1;
      blocks += 1 - touching.length;
      byPath.set(item.path, [...ofFile.filter((other) => !touching.includes(other)), merged]);
      if (isEnough?.(item.path, line) === true) break;
    }
    const passages = [...byPath.values()].flat().toSorted((a, b) => b.score - a.score);
    return { passages, count, stale: [...stale] };
  };
}

function isShown(passages: readonly PassageRange[] | undefined, line: number): boolean {
  return passages?.some(({ shown }) => line >= shown.start && line <= shown.end) === true;
}

export type ScoredLine = {
  chunk: Scored<IndexedChunk>;
  line: number;
  value: number;
  /** Whether it is shown even if it belongs to the frontmatter. */
  mayBeFrontmatter: boolean;
};

/** The line itself, or, for a property of a bucket item, the best line of its text if that matches about as well. */
function preferText(scored: ScoredLine, { bodyStart }: LoadedFile): ScoredLine {
  const { item, lineScores } = scored.chunk;
  const first = bodyStart - item.lines.start;
  if (scored.line >= bodyStart || typeof item.kind === 'object') return scored;
  const best = indexOfBest(lineScores.slice(Math.max(0, first)), 'withNeighbors') + Math.max(0, first);
  const ofProperty = lineScores[scored.line - item.lines.start]?.withNeighbors ?? 0;
  const ofText = lineScores[best]?.withNeighbors;
  return ofText === undefined || ofText < minTextShare * ofProperty
    ? scored
    : { ...scored, line: item.lines.start + best };
}

/** The lines of all chunks that are worth showing, best first: all for which `isMatching` is true, or the best of each chunk. */
export function rankAllLines(
  chunks: readonly Scored<IndexedChunk>[],
  isMatching: ((path: VaultPath, line: number) => boolean) | null,
): ScoredLine[] {
  return chunks.flatMap((chunk) => rankLines(chunk, isMatching)).toSorted((a, b) => b.value - a.value);
}

/**
 * The lines of a chunk, best first. Always includes the best line; omits other lines that are blank, have no query
 * term nearby, or only next to them. An image has one line, which names it.
 */
function rankLines(
  chunk: Scored<IndexedChunk>,
  isMatching: ((path: VaultPath, line: number) => boolean) | null,
): ScoredLine[] {
  const { item, score, lineScores } = chunk;
  const first = indexOfBest(lineScores, 'withNeighbors');
  if (typeof item.kind === 'object') {
    const value = passageScore(imageScoreFactor * score, lineScores[first]?.withNeighbors ?? 0);
    return [{ chunk, line: 1, value, mayBeFrontmatter: true }];
  }
  const texts = item.body.split('\n');
  const isNeighbor = (index: number): boolean =>
    lineScores[index]?.direct === 0 && [index - 1, index + 1].some((at) => (lineScores[at]?.direct ?? 0) > 0);
  const valued = lineScores.flatMap(({ withNeighbors }, index) => {
    const line = item.lines.start + index;
    const isWanted =
      isMatching?.(item.path, line) ?? (withNeighbors > 0 && !isNeighbor(index) && !isBlank(texts[index]));
    if (index !== first && !isWanted) return [];
    const value = (index === first ? 1 : repeatPassageFactor) * passageScore(score, withNeighbors);
    return [{ chunk, line, value, mayBeFrontmatter: index === first || isMatching !== null }];
  });
  const ranked = valued.toSorted((a, b) => b.value - a.value);
  return isMatching === null ? ranked.slice(0, maxLinesPerChunk) : ranked;
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
function createPassageExpander(
  { item: { lines }, file: { lines: fileLines, bodyStart } }: LoadedChunk,
  lineScores: readonly LineScore[],
): PassageExpander {
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
  { lines: fileLines, bodyStart }: LoadedFile,
  context: number,
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

/** One passage from the first to the last line of both, with the best line of the better one. */
export function mergePassages(a: PassageRange, b: PassageRange): PassageRange {
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
