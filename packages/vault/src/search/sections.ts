import { lastPart, linksIn } from '../contract/index.ts';
import type { MarkdownLink } from '../contract/index.ts';
import {
  belowRoot,
  dayOf,
  findFrontmatter,
  kindOf,
  nameOf,
  partsOf,
  rule,
  splitLines,
  startOutline,
} from '../vault/index.ts';
import type { Layout, LineRange, VaultPath } from '../vault/index.ts';
import { isBlank, itemStart, paragraphAround } from './paragraph.ts';

/** A part of a file that is found and shown as one. */
export type Section = {
  /** `properties` are a note's frontmatter; a section that stands for an image says by which link. */
  kind: 'text' | 'properties' | ImageLink;
  lines: LineRange;
  /** The headings it stands under and those it begins with. */
  headings: Heading[];
  /** What it is about: project, file, headings. */
  trail: string;
  body: string;
  /** `2025-07-14`, of a changelog's day; null where the file's own date counts. */
  date: string | null;
};

/** A link to an image as it stands in a note; of an image itself, a path from the root. */
export type ImageLink = Pick<MarkdownLink, 'kind' | 'target'>;

export type Heading = { level: number; text: string };

/** In tokens of four characters. */
export const sectionBudget = 900;

/** Where a text may be cut before a line, the higher the better; zero inside a fence. `end` is in characters. */
type MarkedLine = { text: string; score: number; level: number; heading: string; end: number };

type Piece = { first: number; last: number };

/** All sections of a markdown file: its text, its frontmatter, and one for each image that it shows or links to. */
export function sectionsOf(path: VaultPath, text: string, layout: Layout): Section[] {
  const lines = splitLines(text);
  const skipped = frontmatterLines(text);
  const sections = textSections(path, lines, skipped, layout);
  return [
    ...propertySections(path, lines, skipped, layout),
    ...sections,
    ...imageSections(text, lines, skipped, sections),
  ];
}

/**
 * Their ranges do not overlap and cover every line after the frontmatter, of bucket items every line; the frontmatter is
 * then part of the first one. Where nothing searched comes first they begin later, so that stamps change no section.
 */
function textSections(path: VaultPath, lines: readonly string[], skipped: number, layout: Layout): Section[] {
  const marked = markLines(lines, skipped);
  const all = searchedLines(lines, { start: 1, end: lines.length }, skipped + 1);
  const first = all.findIndex(
    (line, index) => (layout.isInBucket(path) || index >= skipped) && !isBlank(line),
  );
  if (first < 0) return [];
  const whole: Piece = { first, last: lines.length - 1 };
  const pieces = cutsOf(path, layout).reduce(
    (parts, level) => parts.flatMap((part) => cutAtHeadings(marked, part, level)),
    [whole],
  );
  const fitting = pieces.flatMap((piece) => cutToFit(marked, piece));
  const headingsOver = headingsOf(marked, skipped);
  return fitting.map((piece) => {
    const headings = headingsOver(piece).map(({ level, heading }) => ({ level, text: heading }));
    return {
      kind: 'text',
      lines: { start: piece.first + 1, end: piece.last + 1 },
      headings,
      trail: trailOf(path, headings, layout),
      body: all.slice(piece.first, piece.last + 1).join('\n'),
      date: layout.isChangelog(path) ? dayAbove(headings) : null,
    };
  });
}

/** What a person wrote into the frontmatter of a note; that of a bucket item is part of its text. */
function propertySections(
  path: VaultPath,
  lines: readonly string[],
  skipped: number,
  layout: Layout,
): Section[] {
  if (skipped === 0 || layout.isInBucket(path)) return [];
  const place = {
    lines: { start: 1, end: skipped },
    headings: [],
    trail: trailOf(path, [], layout),
    date: null,
  };
  const body = searchedLines(lines, place.lines, skipped + 1).join('\n');
  return body.trim() === '' ? [] : [{ kind: 'properties', body, ...place }];
}

const unsearched = /^\ufeff?(?:---\s*$|(?:created|updated|tokens):)/;

/**
 * Lines of a file as they are searched: in its frontmatter without fences and without what code keeps up to date, which
 * would be indexed anew with every change. One for each, so that numbers stay right.
 */
export function searchedLines(
  fileLines: readonly string[],
  { start, end }: LineRange,
  bodyStart: number,
): string[] {
  return fileLines
    .slice(start - 1, end)
    .map((line, index) => (start + index < bodyStart && unsearched.test(line) ? '' : line));
}

/** More of them would be a gallery. */
const mostImages = 200;

/** An image is found by its name and by the paragraph around each link to it. */
function imageSections(
  text: string,
  lines: readonly string[],
  skipped: number,
  sections: readonly Section[],
): Section[] {
  const links = linksIn(text).filter(({ target }) => kindOf(target) === 'image');
  return links.slice(0, mostImages).flatMap(({ kind, target, line }) => {
    const around = sections.find((each) => each.lines.start <= line && each.lines.end >= line);
    if (around === undefined) return [];
    const place = paragraphAround(line, around.lines, lines);
    const trail = `${around.trail} › ${lastPart(target)}`;
    const body = searchedLines(lines, place, skipped + 1).join('\n');
    return [{ ...around, kind: { kind, target }, lines: place, trail, body }];
  });
}

/** The section of an image by itself. */
export function imageSection(path: VaultPath, layout: Layout): Section {
  const place = { lines: { start: 1, end: 1 }, headings: [], date: null };
  return {
    kind: { kind: 'path', target: `/${belowRoot(path)}` },
    ...place,
    trail: trailOf(path, [], layout),
    body: nameOf(path),
  };
}

/** Tasks and days are sections of their own, however short; a long day is cut at its entries. */
function cutsOf(path: VaultPath, { isTaskList, isChangelog }: Layout): CutLevel[] {
  if (isTaskList(path)) return [{ level: 1, onlyOver: 0 }];
  if (isChangelog(path))
    return [
      { level: 1, onlyOver: 0 },
      { level: 2, onlyOver: sectionBudget },
    ];
  return [];
}

type CutLevel = { level: number; onlyOver: number };

/** How many lines a text's frontmatter has, its fences included. */
export function frontmatterLines(text: string): number {
  const found = findFrontmatter(text);
  return found === null ? 0 : splitLines(text.slice(0, found.bodyStart)).length;
}

const headingScores = [0, 100, 90, 80, 70, 60, 50] as const;

function markLines(lines: readonly string[], skipped: number): MarkedLine[] {
  const outline = startOutline();
  const marked: MarkedLine[] = [];
  let end = 0;
  let wasVerbatim = false;
  let wasBlank = true;
  for (const [index, text] of lines.entries()) {
    const { heading, verbatim } =
      index < skipped ? frontmatterLine : outline(index === 0 ? text.replace(/^\ufeff/, '') : text);
    const line: MarkedLine = { text, score: 1, level: 0, heading: '', end: (end += text.length + 1) };
    if (index < skipped) line.score = 0;
    else if (verbatim) line.score = wasVerbatim ? 0 : 80;
    else if (rule.test(text)) line.score = 60;
    else if (wasBlank) line.score = 20;
    else if (itemStart.test(text)) line.score = 5;
    marked.push(line);
    if (heading !== null) {
      // An underlined heading begins some lines earlier.
      const start = marked[index - heading.lines + 1] ?? line;
      if (start !== line) line.score = 0;
      start.score = headingScores[heading.level] ?? 50;
      start.level = heading.level;
      start.heading = heading.text;
    }
    // The end of a fence is as good a place as its start.
    if (wasVerbatim && !verbatim && heading === null) line.score = Math.max(line.score, 80);
    wasVerbatim = verbatim;
    wasBlank = text.trim() === '';
  }
  return marked;
}

const frontmatterLine = { heading: null, verbatim: false };

function cutAtHeadings(marked: readonly MarkedLine[], piece: Piece, { level, onlyOver }: CutLevel): Piece[] {
  if (tokensIn(marked, piece) <= onlyOver) return [piece];
  const starts = [piece.first];
  for (let at = piece.first + 1; at <= piece.last; at += 1) if (marked[at]?.level === level) starts.push(at);
  const pieces = starts.map((first, index) => ({ first, last: (starts[index + 1] ?? piece.last + 1) - 1 }));
  const [opening, next] = pieces;
  // What stands before the first heading and says nothing, or is only the heading above, goes with it.
  const isEmpty = opening !== undefined && next !== undefined && saysNothing(marked, opening, level);
  return isEmpty ? [{ first: opening.first, last: next.last }, ...pieces.slice(2)] : pieces;
}

function saysNothing(marked: readonly MarkedLine[], { first, last }: Piece, below: number): boolean {
  return marked
    .slice(first, last + 1)
    .every(({ text, level }) => text.trim() === '' || (level > 0 && level < below));
}

/** Cuts at the best place inside the budget, again and again; the later of two equally good ones. */
function cutToFit(marked: readonly MarkedLine[], piece: Piece): Piece[] {
  const pieces: Piece[] = [];
  let { first } = piece;
  while (tokensIn(marked, { first, last: piece.last }) > sectionBudget) {
    const cut = bestCut(marked, first, piece.last);
    if (cut === null) break;
    pieces.push({ first, last: cut - 1 });
    first = cut;
  }
  return [...pieces, { first, last: piece.last }];
}

function bestCut(marked: readonly MarkedLine[], first: number, last: number): number | null {
  let best: { at: number; worth: number } | null = null;
  for (let at = first + 1; at <= last; at += 1) {
    const { score } = marked[at] as MarkedLine;
    if (score === 0) continue;
    const used = tokensIn(marked, { first, last: at - 1 }) / sectionBudget;
    // Past the budget the next possible place is taken: a fence is never cut, a lone long line stays whole.
    if (used > 1) return best?.at ?? at;
    // A heading near the start would leave a section of a line or two.
    const worth = score * (0.3 + used);
    if (best === null || worth >= best.worth) best = { at, worth };
  }
  return best?.at ?? null;
}

function tokensIn(marked: readonly MarkedLine[], { first, last }: Piece): number {
  return ((marked[last]?.end ?? 0) - (marked[first - 1]?.end ?? 0)) / 4;
}

/** The headings a piece stands under and those it begins with. Asked in order, so each line is looked at once. */
function headingsOf(marked: readonly MarkedLine[], skipped: number): (piece: Piece) => MarkedLine[] {
  const open: MarkedLine[] = [];
  let next = 0;
  return ({ first, last }) => {
    const opening = lastOpening(marked, { first: Math.max(first, skipped), last });
    for (; next <= opening; next += 1) {
      const line = marked[next];
      if (line === undefined || line.level === 0) continue;
      while ((open.at(-1)?.level ?? 0) >= line.level) open.pop();
      open.push(line);
    }
    return [...open];
  };
}

/** The last of the headings, with nothing but blank lines between them, that a piece begins with. */
function lastOpening(marked: readonly MarkedLine[], { first, last }: Piece): number {
  let opening = first;
  for (let at = first; at <= last; at += 1) {
    const line = marked[at];
    if (line !== undefined && line.level > 0) opening = at;
    else if (line?.text.trim() !== '') break;
  }
  return opening;
}

export function trailOf(path: VaultPath, headings: readonly Heading[], layout: Layout): string {
  return [...placeOf(path, layout), ...headings.map(({ text }) => text)].join(' › ');
}

/** The headings that a line of a section stands under, or is. */
export function headingsAt(
  { lines, headings }: Pick<Section, 'lines' | 'headings'>,
  line: number,
  file: { lines: readonly string[]; bodyStart: number },
): Heading[] {
  if (line < file.bodyStart) return [];
  const open = [...headings];
  const outline = startOutline();
  // Read to the end: an underline further down makes a heading of the lines above it.
  for (let at = Math.max(lines.start, file.bodyStart); at <= lines.end; at += 1) {
    const { heading } = outline(file.lines[at - 1] ?? '');
    if (heading === null || at - heading.lines + 1 > line) continue;
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    open.push({ level: heading.level, text: heading.text });
  }
  return open;
}

/** `projects/startup-x/bucket/specs.md` → `startup-x`, `bucket`, `specs`. */
function placeOf(path: VaultPath, { projectOf }: Layout): string[] {
  const parts = partsOf(path).map((part) => part.replace(/\.md$/i, ''));
  return projectOf(path) === null ? parts : parts.slice(1);
}

function dayAbove([top]: readonly Heading[]): string | null {
  return top?.level === 1 ? dayOf(top.text) : null;
}
