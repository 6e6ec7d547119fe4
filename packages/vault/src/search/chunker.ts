import { lastSegment, parseLinks } from '../contract/index.ts';
import type { MarkdownLink } from '../contract/index.ts';
import {
  toRelativePath,
  findFrontmatter,
  fileKindOf,
  baseName,
  pathSegments,
  horizontalRulePattern,
  splitLines,
  createOutlineParser,
} from '../vault/index.ts';
import type { ChangelogEntry, Layout, LineRange, VaultPath } from '../vault/index.ts';
import {
  createDatedEntryFinder,
  dateOf,
  findDateBoundaries,
  noteDate,
  parseEntriesWithDates,
} from './entry-dates.ts';
import { isBlank, listItemStart, enclosingParagraph } from './paragraph.ts';

/** The unit of a file that is indexed and retrieved. */
export type Chunk = {
  /** `properties` is the frontmatter of a note; a chunk that describes an image has the link to it. */
  kind: 'text' | 'properties' | ImageLink;
  lines: LineRange;
  /** The headings above the chunk and those it starts with. */
  headings: Heading[];
  /** Context of the chunk: project, file and headings. */
  headingPath: string;
  body: string;
  /**
   * `2025-07-14`: the day of a note, the day of a changelog or the day that its entry states; a day on which the entry takes effect follows
   * after a space. Null if the file's date applies.
   */
  date: string | null;
};

/** An image link as written in a note; for the image file itself, a path from the root. */
export type ImageLink = Pick<MarkdownLink, 'kind' | 'target'>;

export type Heading = { level: number; text: string };

/** In tokens of four characters. */
export const maxChunkTokens = 900;

/**
 * A line and the score of a break before it; higher is better, zero inside a fence. `end` is the offset after the line,
 * in characters.
 */
type BreakPoint = { text: string; score: number; level: number; heading: string; end: number };

type LineSpan = { first: number; last: number };

/** Splits a markdown file into chunks: its text, its frontmatter, and one for each image that it embeds or links to. */
export function chunkFile(path: VaultPath, text: string, layout: Layout): Chunk[] {
  const lines = splitLines(text);
  const skipped = countFrontmatterLines(text);
  const noteDay = layout.isChangelog(path) ? null : noteDate(path, text);
  const entries = parseEntriesWithDates(path, text, layout);
  const chunks = chunkText(path, lines, skipped, { layout, entries, noteDay });
  return [
    ...chunkFrontmatter(path, lines, skipped, { layout, noteDay }),
    ...chunks,
    ...chunkImages(text, lines, skipped, chunks),
  ];
}

/** Splits the text of a document that is no markdown file, such as a PDF. */
export function chunkDocument(path: VaultPath, text: string, layout: Layout): Chunk[] {
  return chunkFile(path, text, layout).filter(({ kind }) => kind === 'text');
}

/**
 * The ranges do not overlap and cover every line after the frontmatter; in bucket items the frontmatter is part of
 * the first chunk. Leading lines that are not indexed are left out, so that updating timestamps changes no chunk.
 */
function chunkText(
  path: VaultPath,
  lines: readonly string[],
  skipped: number,
  {
    layout,
    entries,
    noteDay,
  }: { layout: Layout; entries: readonly ChangelogEntry[]; noteDay: string | null },
): Chunk[] {
  const marked = markLines(lines, skipped);
  const all = indexedLines(lines, { start: 1, end: lines.length }, skipped + 1);
  const first = all.findIndex(
    (line, index) => (layout.isInBucket(path) || index >= skipped) && !isBlank(line),
  );
  if (first < 0) return [];
  const whole: LineSpan = { first, last: lines.length - 1 };
  const pieces = cutsOf(path, layout, entries).reduce(
    (parts, level) => parts.flatMap((part) => splitAtHeadings(marked, part, level)),
    [whole],
  );
  const fitting = pieces.flatMap((piece) => splitToBudget(marked, piece));
  const headingsOver = createHeadingTracker(marked, skipped);
  const entryIn = createDatedEntryFinder(entries);
  return fitting.map((piece) => {
    const headings = headingsOver(piece).map(({ level, heading }) => ({ level, text: heading }));
    return {
      kind: 'text',
      lines: { start: piece.first + 1, end: piece.last + 1 },
      headings,
      headingPath: headingPathOf(path, headings, layout),
      body: all.slice(piece.first, piece.last + 1).join('\n'),
      date: layout.isChangelog(path) ? dateOf(entryIn(piece), headings) : noteDay,
    };
  });
}

/** The user's own frontmatter of a note. In a bucket item, frontmatter is part of the text. */
function chunkFrontmatter(
  path: VaultPath,
  lines: readonly string[],
  skipped: number,
  { layout, noteDay }: { layout: Layout; noteDay: string | null },
): Chunk[] {
  if (skipped === 0 || layout.isInBucket(path)) return [];
  const place = {
    lines: { start: 1, end: skipped },
    headings: [],
    headingPath: headingPathOf(path, [], layout),
    date: noteDay,
  };
  const body = indexedLines(lines, place.lines, skipped + 1).join('\n');
  return body.trim() === '' ? [] : [{ kind: 'properties', body, ...place }];
}

const unsearched = /^\ufeff?(?:---\s*$|(?:created|updated|tokens):)/;

/**
 * Lines as they are indexed: in the frontmatter, fences and fields maintained by code are blanked, because they would
 * be reindexed with every change. Keeps one entry per line, so that line numbers stay valid.
 */
export function indexedLines(
  fileLines: readonly string[],
  { start, end }: LineRange,
  bodyStart: number,
): string[] {
  return fileLines
    .slice(start - 1, end)
    .map((line, index) => (start + index < bodyStart && unsearched.test(line) ? '' : line));
}

/** Further images are not indexed by their surrounding text, because a note with more images is a gallery. */
const maxImagesPerFile = 200;

/** Indexes an image by its name and the paragraph around each link to it. */
function chunkImages(
  text: string,
  lines: readonly string[],
  skipped: number,
  chunks: readonly Chunk[],
): Chunk[] {
  const links = parseLinks(text).filter(({ target }) => fileKindOf(target) === 'image');
  return links.slice(0, maxImagesPerFile).flatMap(({ kind, target, line }) => {
    const around = chunks.find((each) => each.lines.start <= line && each.lines.end >= line);
    if (around === undefined) return [];
    const place = enclosingParagraph(line, around.lines, lines);
    const headingPath = `${around.headingPath} › ${lastSegment(target)}`;
    const body = indexedLines(lines, place, skipped + 1).join('\n');
    return [{ ...around, kind: { kind, target }, lines: place, headingPath, body }];
  });
}

/** The chunk of an image file itself. */
export function chunkImage(path: VaultPath, layout: Layout): Chunk {
  const place = { lines: { start: 1, end: 1 }, headings: [], date: null };
  return {
    kind: { kind: 'path', target: `/${toRelativePath(path)}` },
    ...place,
    headingPath: headingPathOf(path, [], layout),
    body: baseName(path),
  };
}

/**
 * Each task, each day and each entry with a date of its own is a chunk, however short; a long day is split at its entries.
 */
function cutsOf(
  path: VaultPath,
  { isTaskList, isChangelog }: Layout,
  entries: readonly ChangelogEntry[],
): SplitRule[] {
  if (isTaskList(path)) return [{ level: 1, onlyOver: 0 }];
  if (isChangelog(path))
    return [
      { level: 1, onlyOver: 0 },
      { level: 2, onlyOver: 0, onlyAt: findDateBoundaries(entries) },
      { level: 2, onlyOver: maxChunkTokens },
    ];
  return [];
}

/** `onlyAt` are the lines, from 0, at which to split; by default all headings of the level. */
type SplitRule = { level: number; onlyOver: number; onlyAt?: ReadonlySet<number> };

/** A file with more tasks or days is split like other notes; millions of short chunks would not fit in memory. */
const maxHeadingChunks = 10_000;

/** Number of frontmatter lines, including the fences. */
export function countFrontmatterLines(text: string): number {
  const found = findFrontmatter(text);
  return found === null ? 0 : splitLines(text.slice(0, found.bodyStart)).length;
}

const breakScoreByLevel = [0, 100, 90, 80, 70, 60, 50] as const;

function markLines(lines: readonly string[], skipped: number): BreakPoint[] {
  const outline = createOutlineParser();
  const marked: BreakPoint[] = [];
  let end = 0;
  let wasVerbatim = false;
  let wasBlank = true;
  for (const [index, text] of lines.entries()) {
    const { heading, isVerbatim } =
      index < skipped ? frontmatterLine : outline(index === 0 ? text.replace(/^\ufeff/, '') : text);
    const line: BreakPoint = { text, score: 1, level: 0, heading: '', end: (end += text.length + 1) };
    if (index < skipped) line.score = 0;
    else if (isVerbatim) line.score = wasVerbatim ? 0 : 80;
    else if (horizontalRulePattern.test(text)) line.score = 60;
    else if (wasBlank) line.score = 20;
    else if (listItemStart.test(text)) line.score = 5;
    marked.push(line);
    if (heading !== null) {
      // An underlined heading starts some lines earlier.
      const start = marked[index - heading.lines + 1] ?? line;
      if (start !== line) line.score = 0;
      start.score = breakScoreByLevel[heading.level] ?? 50;
      start.level = heading.level;
      start.heading = heading.text;
    }
    // The end of a fence is as good a break point as its start.
    if (wasVerbatim && !isVerbatim && heading === null) line.score = Math.max(line.score, 80);
    wasVerbatim = isVerbatim;
    wasBlank = text.trim() === '';
  }
  return marked;
}

const frontmatterLine = { heading: null, isVerbatim: false };

function splitAtHeadings(
  marked: readonly BreakPoint[],
  piece: LineSpan,
  { level, onlyOver, onlyAt }: SplitRule,
): LineSpan[] {
  if (tokensIn(marked, piece) <= onlyOver) return [piece];
  const starts = [piece.first];
  for (let at = piece.first + 1; at <= piece.last; at += 1)
    if (marked[at]?.level === level && onlyAt?.has(at) !== false) starts.push(at);
  if (starts.length > maxHeadingChunks) return [piece];
  const pieces = starts.map((first, index) => ({ first, last: (starts[index + 1] ?? piece.last + 1) - 1 }));
  const [opening, next] = pieces;
  // If only blank lines and higher-level headings precede the first heading, they stay with the next piece.
  const isEmpty = opening !== undefined && next !== undefined && isEmptySpan(marked, opening, level);
  return isEmpty ? [{ first: opening.first, last: next.last }, ...pieces.slice(2)] : pieces;
}

function isEmptySpan(marked: readonly BreakPoint[], { first, last }: LineSpan, below: number): boolean {
  return marked
    .slice(first, last + 1)
    .every(({ text, level }) => text.trim() === '' || (level > 0 && level < below));
}

/** Splits repeatedly at the best break point within the budget; of two equal ones, at the later. */
function splitToBudget(marked: readonly BreakPoint[], piece: LineSpan): LineSpan[] {
  const pieces: LineSpan[] = [];
  let { first } = piece;
  while (tokensIn(marked, { first, last: piece.last }) > maxChunkTokens) {
    const cut = findBestBreak(marked, first, piece.last);
    if (cut === null) break;
    pieces.push({ first, last: cut - 1 });
    first = cut;
  }
  return [...pieces, { first, last: piece.last }];
}

function findBestBreak(marked: readonly BreakPoint[], first: number, last: number): number | null {
  let best: { at: number; worth: number } | null = null;
  for (let at = first + 1; at <= last; at += 1) {
    const { score } = marked[at] as BreakPoint;
    if (score === 0) continue;
    const used = tokensIn(marked, { first, last: at - 1 }) / maxChunkTokens;
    // Without a break point within the budget, the next one is used: fences are never split, and a long line stays
    // whole.
    if (used > 1) return best?.at ?? at;
    // A break near the start would leave a chunk of a line or two.
    const worth = score * (0.3 + used);
    if (best === null || worth >= best.worth) best = { at, worth };
  }
  return best?.at ?? null;
}

function tokensIn(marked: readonly BreakPoint[], { first, last }: LineSpan): number {
  return ((marked[last]?.end ?? 0) - (marked[first - 1]?.end ?? 0)) / 4;
}

/**
 * Returns the headings above a piece and those it starts with. Pieces must be passed in order, so that each line is
 * visited once.
 */
function createHeadingTracker(
  marked: readonly BreakPoint[],
  skipped: number,
): (piece: LineSpan) => BreakPoint[] {
  const open: BreakPoint[] = [];
  let next = 0;
  return ({ first, last }) => {
    const opening = lastLeadingHeading(marked, { first: Math.max(first, skipped), last });
    for (; next <= opening; next += 1) {
      const line = marked[next];
      if (line === undefined || line.level === 0) continue;
      while ((open.at(-1)?.level ?? 0) >= line.level) open.pop();
      open.push(line);
    }
    return [...open];
  };
}

/** The last of the consecutive headings, separated only by blank lines, at the start of a piece. */
function lastLeadingHeading(marked: readonly BreakPoint[], { first, last }: LineSpan): number {
  let opening = first;
  for (let at = first; at <= last; at += 1) {
    const line = marked[at];
    if (line !== undefined && line.level > 0) opening = at;
    else if (line?.text.trim() !== '') break;
  }
  return opening;
}

function headingPathOf(path: VaultPath, headings: readonly Heading[], layout: Layout): string {
  return [...contextNames(path, layout), ...headings.map(({ text }) => text)].join(' › ');
}

/** The headings above a line of a chunk, including the line itself. */
export function headingsAtLine(
  { lines, headings }: Pick<Chunk, 'lines' | 'headings'>,
  line: number,
  file: { lines: readonly string[]; bodyStart: number },
): Heading[] {
  if (line < file.bodyStart) return [];
  const open = [...headings];
  const outline = createOutlineParser();
  // Reads to the end of the chunk, because an underline further down turns the lines above it into a heading.
  for (let at = Math.max(lines.start, file.bodyStart); at <= lines.end; at += 1) {
    const { heading } = outline(file.lines[at - 1] ?? '');
    if (heading === null || at - heading.lines + 1 > line) continue;
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    open.push({ level: heading.level, text: heading.text });
  }
  return open;
}

/** `projects/startup-x/bucket/specs.md` → `startup-x`, `bucket`, `specs`. */
function contextNames(path: VaultPath, { projectOf }: Layout): string[] {
  const parts = pathSegments(path).map((part) => part.replace(/\.md$/i, ''));
  return projectOf(path) === null ? parts : parts.slice(1);
}
