import type { LineRange, VaultPath } from '../vault/index.ts';
import { startOutline } from '../vault/index.ts';
import { isBlank, paragraphAround } from './paragraph.ts';
import { tokensOfLine } from './rank.ts';
import type { LineScore } from './rank.ts';

/** A section that answers, with all lines of its file. */
export type Showable = {
  path: VaultPath;
  lines: LineRange;
  /** 0 to 1. */
  score: number;
  /** One for each line of the section. */
  lineScores: readonly LineScore[];
  fileLines: readonly string[];
  /** The first line behind the frontmatter. */
  bodyStart: number;
};

/** The lines that answer, snapped to what belongs together, with the lines of the file around them. */
export type Passage = {
  /** Which of the sections it is of. */
  section: number;
  shown: LineRange;
  best: number;
  /** 0 to 1; what orders passages. */
  score: number;
};

export type Bounds = {
  /** In tokens, for all together. */
  budget: number;
  /** So many are shown even if they cost more together, as long as that is no more than the ceiling. */
  atLeast: number;
  ceiling: number;
  /** Lines of the file above and below each. */
  context: number;
  /** How many at most. */
  most: number;
  /** What scores less than this share of the best is left out. */
  worthShowing: number;
};

/** In tokens: what stands under one heading is shown whole up to this. */
const longestBlock = 250;
/** In characters: of a line that would be most of an answer by itself, only the beginning is shown. */
export const longestLine = 4_000;
/** What a line is worth for its section alone, before it has anything to do with the query. */
const forItsSection = 0.3;
/** What a further passage of a section counts. */
const further = 0.9;
/** More lines of a section than can be shown are not tried. */
const mostLines = 100;

/**
 * Chooses what is shown, best first, each whole and with its context, until the budget is used; what no longer fits is
 * passed over for what does. The first always is shown. Passages of one file that touch become one. `left` is what remains
 * of the budget.
 */
export function choosePassages(
  sections: readonly Showable[],
  { budget, atLeast, ceiling, context, most, worthShowing }: Bounds,
): { passages: Passage[]; left: number } {
  const lines = sections.flatMap(valuedLines).toSorted((a, b) => b.value - a.value);
  const least = worthShowing * (lines[0]?.value ?? 0);
  const snappers = sections.map(createSnapper);
  let passages: Passage[] = [];
  let left = budget;
  for (const { section, line, value } of lines) {
    const { path, fileLines, bodyStart } = sections[section] as Showable;
    if (value < least || passages.length >= most || (left <= 0 && passages.length >= atLeast)) break;
    const ofFile = passages.filter((each) => sections[each.section]?.path === path);
    if (ofFile.some(({ shown }) => line >= shown.start && line <= shown.end)) continue;
    const { range, best } = (snappers[section] as Snapper)(line);
    const alone = {
      section,
      shown: withContext(range, fileLines, { bodyStart, context }),
      best,
      score: value,
    };
    const touching = ofFile.filter(({ shown }) => touches(shown, alone.shown));
    const merged = touching.reduce(merge, alone);
    const cost =
      tokensIn(fileLines, merged.shown) -
      touching.reduce((sum, { shown }) => sum + tokensIn(fileLines, shown), 0);
    const isOwed = touching.length === 0 && passages.length < atLeast && budget - left + cost <= ceiling;
    const isFirst = passages.length === 0;
    if (cost > left && !isOwed && !isFirst) continue;
    left -= cost;
    passages = [...passages.filter((each) => !touching.includes(each)), merged];
  }
  return { passages: passages.toSorted((a, b) => b.score - a.score), left };
}

type ValuedLine = { section: number; line: number; value: number };

/**
 * The lines of a section by what they promise. The best one always promises something; of the others not those that are
 * blank, have no word of the query near, or are frontmatter.
 */
function valuedLines(
  { lines, score, lineScores, fileLines, bodyStart }: Showable,
  section: number,
): ValuedLine[] {
  const first = indexOfBest(lineScores, 'near');
  const valued = lineScores.flatMap(({ near }, index) => {
    const line = lines.start + index;
    const value = (score * (forItsSection + Math.min(1, near))) / (forItsSection + 1);
    if (index === first) return [{ section, line, value }];
    const isPromising = near > 0 && line >= bodyStart && !isBlank(fileLines[line - 1]);
    return isPromising ? [{ section, line, value: further * value }] : [];
  });
  return valued.toSorted((a, b) => b.value - a.value).slice(0, mostLines);
}

function indexOfBest(scores: readonly LineScore[], of: keyof LineScore): number {
  let best = 0;
  for (const [index, score] of scores.entries()) if (score[of] > (scores[best]?.[of] ?? 0)) best = index;
  return best;
}

type Snapper = (line: number) => { range: LineRange; best: number };

/**
 * What is shown for the sake of a line: the section if that is short, else as much of what stands under the headings
 * above it as is short, else its paragraph, list item or row, else the line. Frontmatter stands for itself.
 */
function createSnapper({ lines, fileLines, lineScores, bodyStart }: Showable): Snapper {
  // From its opening fence on, though that is not searched.
  const frontmatter = { start: 1, end: Math.min(lines.end, bodyStart - 1) };
  const body = trimmed({ start: Math.max(lines.start, bodyStart), end: lines.end }, fileLines);
  let levels: number[] | null = null;
  const blockOf = (line: number, part: LineRange): LineRange => {
    if (fits(part, fileLines)) return part;
    levels ??= headingLevels({ start: body.start, end: lines.end }, fileLines);
    const block = blockAround(line, part, (at) => levels?.[at - body.start] ?? 0, fileLines);
    const range = block ?? paragraphAround(line, part, fileLines);
    return fits(range, fileLines) ? range : { start: line, end: line };
  };
  return (line) => {
    const range = blockOf(line, line < bodyStart ? frontmatter : body);
    const first = Math.max(range.start, lines.start);
    const scores = lineScores.slice(first - lines.start, range.end - lines.start + 1);
    return { range, best: first + indexOfBest(scores, 'own') };
  };
}

/** The level of the heading that begins in each of these lines; 0 where none does. */
function headingLevels({ start, end }: LineRange, fileLines: readonly string[]): number[] {
  const outline = startOutline();
  const levels: number[] = [];
  for (let line = start; line <= end; line += 1) {
    const { heading } = outline(fileLines[line - 1] ?? '');
    levels.push(0);
    if (heading !== null) levels[levels.length - heading.lines] = heading.level;
  }
  return levels;
}

/** From the widest heading above a line to the next of its rank, as long as that is short; null where nothing is. */
function blockAround(
  line: number,
  part: LineRange,
  levelOf: (line: number) => number,
  fileLines: readonly string[],
): LineRange | null {
  let block: LineRange | null = null;
  let inside = 7;
  // Nothing short has more lines than it may have tokens.
  for (let start = line; start >= Math.max(part.start, line - longestBlock); start -= 1) {
    const level = levelOf(start);
    if ((level === 0 || level >= inside) && start > part.start) continue;
    // The narrowest ends at whatever heading comes next, a wider one at the next of its rank.
    const rank = block === null || level === 0 ? 6 : level;
    let end = line;
    while (end < part.end && end - line <= longestBlock && !isHeading(levelOf(end + 1), rank)) end += 1;
    const wider = trimmed({ start, end }, fileLines);
    if (!fits(wider, fileLines)) break;
    block = wider;
    inside = level;
  }
  return block;
}

function isHeading(level: number, rank: number): boolean {
  return level > 0 && level <= rank;
}

/** Blank lines at the edges and frontmatter are no context: it goes on to a line that says something. */
function withContext(
  { start, end }: LineRange,
  fileLines: readonly string[],
  { bodyStart, context }: { bodyStart: number; context: number },
): LineRange {
  if (context === 0) return { start, end };
  const first = Math.min(start, bodyStart);
  let [from, to] = [Math.max(first, start - context), Math.min(fileLines.length, end + context)];
  while (from > first && isBlank(fileLines[from - 1])) from -= 1;
  while (to < fileLines.length && isBlank(fileLines[to - 1])) to += 1;
  return trimmed({ start: from, end: to }, fileLines);
}

function trimmed({ start, end }: LineRange, fileLines: readonly string[]): LineRange {
  let [from, to] = [start, end];
  while (from < to && isBlank(fileLines[from - 1])) from += 1;
  while (to > from && isBlank(fileLines[to - 1])) to -= 1;
  return { start: from, end: to };
}

function touches(a: LineRange, b: LineRange): boolean {
  return a.start <= b.end + 1 && b.start <= a.end + 1;
}

function merge(a: Passage, b: Passage): Passage {
  const shown = { start: Math.min(a.shown.start, b.shown.start), end: Math.max(a.shown.end, b.shown.end) };
  return { ...(a.score >= b.score ? a : b), shown };
}

function tokensIn(fileLines: readonly string[], { start, end }: LineRange): number {
  let tokens = 0;
  for (let line = start; line <= end; line += 1)
    tokens += Math.min(tokensOfLine(fileLines[line - 1] ?? ''), longestLine / 4);
  return tokens;
}

/** Whether lines are few enough to be shown for the sake of one of them. */
function fits({ start, end }: LineRange, fileLines: readonly string[]): boolean {
  return end - start < longestBlock && tokensIn(fileLines, { start, end }) <= longestBlock;
}
