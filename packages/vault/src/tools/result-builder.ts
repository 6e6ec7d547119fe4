import type { PathError, ReadValue } from '../contract/index.ts';
import type { Extraction } from '../search/index.ts';
import {
  renderBlock,
  formatFoldedLines,
  formatLineRanges,
  joinBlocks,
  lineNumberWidth,
  formatFolderPath,
  formatPath,
  formatTokens,
  rootPath,
} from '../vault/index.ts';
import type { FoldedItem, LineRange, ReplacedEntry, Revision, VaultPath } from '../vault/index.ts';
import { formatPathError } from './define-tool.ts';
import { describeExtractions } from './describe-extraction.ts';
import type { ImagePart } from './define-tool.ts';
import { formatReplacedNotes } from './format-replaced.ts';
import type { ResultLimits } from './run.ts';
import type { ShownLines } from './shown-lines.ts';

export type TextBlock = {
  path: VaultPath;
  revision: Revision;
  totalLines: number;
  tokens: number;
  body: LinesBody | { kind: 'folded'; items: FoldedItem[] } | { kind: 'image'; announcement: string };
  /** The requested lines, if the body does not contain all of them. */
  requested?: LineRange;
  /** If the lines were extracted from a document. */
  extracted?: Extraction | null;
  /** Which end to keep when the block is truncated. */
  keep: 'start' | 'end';
  /** The changelog entries in the block that later entries replace. */
  replaced?: readonly ReplacedEntry[];
  /**
   * Whether a line range was requested. The header of such a block always names the lines; other headers name them only
   * when lines are missing.
   */
  isRange: boolean;
  /** The position of its entry in the request, from 1. Consecutive blocks of one entry are rendered as one block with gaps. */
  entry?: number;
};

type LinesBody = { kind: 'lines'; first: number; lines: string[] };

type Omitted = ReadValue['leftOut'][number];

/** Builds a result from blocks and images, in order and within the limits of one result. */
export type ResultBuilder = {
  isFull(): boolean;
  /** `note` is shown below all blocks. */
  addBlock(block: TextBlock, note?: string): void;
  addEmptyFolder(path: VaultPath): void;
  /** Returns false when the image does not fit. */
  addImage(image: ImagePart, announcement: string): boolean;
  addError(error: PathError): void;
  /** Adds a note that belongs to no block; it is shown below all of them. */
  addNote(note: string): void;
  /** `path` is the displayed path; `lines` is null for all of its lines. */
  omit(path: string, lines: string | null): void;
  finish(): BuiltResult;
};

type BuiltResult = {
  text: string;
  images: ImagePart[];
  blocks: TextBlock[];
  errors: PathError[];
  notes: string[];
  omitted: Omitted[];
};

/** Characters reserved for the line that lists the omitted paths. */
const reservedCharacters = 2_000;

export function createResultBuilder(bounds: ResultLimits): ResultBuilder {
  const pieces: (string | TextBlock[])[] = [];
  const images: ImagePart[] = [];
  const blocks: TextBlock[] = [];
  const errors: PathError[] = [];
  const notes: string[] = [];
  const omitted: Omitted[] = [];
  let remaining = bounds.tokens * 4 - reservedCharacters;
  let full = false;

  const append = (piece: string): void => {
    pieces.push(piece);
    remaining -= piece.length + 2;
  };
  const appendBlock = (block: TextBlock): void => {
    const last = pieces.at(-1);
    if (typeof last === 'object' && block.entry !== undefined && last[0]?.entry === block.entry)
      last.push(block);
    else pieces.push([block]);
    const isNoted = blocks.some(({ path }) => path === block.path);
    blocks.push(block);
    remaining -=
      renderTextBlocks([block]).length + 2 + lengthOfReplacedNotes(block.path, block.replaced ?? []);
    if (!isNoted) remaining -= describeExtractions([block]).reduce((sum, { length }) => sum + length + 7, 0);
  };
  const omit = (path: string, lines: string | null): void => {
    full = true;
    omitted.push({ path, lines });
  };

  return {
    isFull: () => full,
    addBlock(whole, note) {
      const line = note === undefined ? '' : `${formatNote(note)}\n`;
      const fitting = truncateBlock(whole, remaining - line.length);
      if (fitting === null && pieces.length === 0 && whole.body.kind === 'lines') {
        const { first, rest } = splitFirstLine(whole, whole.body);
        errors.push({ path: formatPath(whole.path), message: lineTooLongMessage(first) });
        if (rest !== null) omit(formatPath(whole.path), rest);
        return;
      }
      if (fitting === null) return omit(formatPath(whole.path), linesOf(whole));
      appendBlock(fitting);
      if (note !== undefined) {
        notes.push(note);
        remaining -= line.length;
      }
      const missing = missingLines(whole, fitting);
      if (missing !== null) omit(formatPath(whole.path), missing);
    },
    addEmptyFolder(path) {
      const piece = renderBlock(formatFolderPath(path), '');
      if (piece.length > remaining) omit(formatFolderPath(path), null);
      else append(piece);
    },
    addImage(image, announcement) {
      const fits = announcement.length <= remaining;
      if (fits) {
        images.push(image);
        append(announcement);
        full ||= images.length === bounds.images;
      } else omit(image.path, null);
      return fits;
    },
    addError: (error) => void errors.push(error),
    addNote(note) {
      notes.push(note);
      remaining -= formatNote(note).length + 1;
    },
    omit: omit,
    finish() {
      notes.push(...describeExtractions(blocks));
      const replaced = blocks.flatMap((block) => formatReplacedNotes(block.path, block.replaced ?? []));
      const below = [...[...new Set(replaced), ...notes].map(formatNote), ...formatErrors(errors, remaining)];
      if (omitted.length > 0) below.push(formatOmitted(omitted, bounds));
      const rendered = pieces.map((piece) => (typeof piece === 'string' ? piece : renderTextBlocks(piece)));
      const text = joinBlocks([...rendered, below.join('\n')].filter((part) => part !== ''));
      return { text, images, blocks, errors, notes, omitted };
    },
  };
}

/** The line would not fit into any other result either. */
const lineTooLongMessage = (line: number): string =>
  `line ${line} is too long for one result; request other lines or open the file in an editor`;

/** Splits the requested lines into the one that would be shown first and the rest. */
function splitFirstLine(whole: TextBlock, body: LinesBody): { first: number; rest: string | null } {
  const { start, end } = requestedLines(whole, body);
  const first = whole.keep === 'end' ? end : start;
  const rest = whole.keep === 'end' ? `${start}-${end - 1}` : `${start + 1}-${end}`;
  return { first, rest: start === end ? null : rest };
}

/** Records the lines of a block as shown. A folded block is an outline and shows no lines. */
export function recordShownBlock(shown: ShownLines, { path, revision, body }: TextBlock): void {
  if (body.kind === 'lines') shown.add(path, revision, body.first, body.lines);
}

/** Renders blocks of one file as one block. */
function renderTextBlocks(blocks: readonly TextBlock[]): string {
  const path = blocks[0]?.path ?? rootPath;
  return renderBlock(`${formatPath(path)}${formatHeaderSuffix(blocks)}`, renderBody(blocks));
}

function renderBody(blocks: readonly TextBlock[]): string {
  const [first] = blocks;
  if (first?.body.kind === 'folded') return formatFoldedLines(first.body.items);
  if (first?.body.kind === 'image') return first.body.announcement;
  return formatLineRanges(blocks.flatMap(({ body }) => (body.kind === 'lines' ? [body] : [])));
}

function formatHeaderSuffix(blocks: readonly TextBlock[]): string {
  const [first] = blocks;
  if (first === undefined || first.body.kind === 'image') return '';
  if (first.body.kind === 'folded') return ` (folded, ${first.totalLines} lines)`;
  const ranges = blocks.flatMap(({ body }) =>
    body.kind === 'lines' ? [`${body.first}-${body.first + body.lines.length - 1}`] : [],
  );
  if (first.isRange) return ` (lines ${ranges.join(', ')})`;
  return first.body.lines.length === first.totalLines
    ? ''
    : ` (lines ${ranges.join(', ')} of ${first.totalLines})`;
}

/** Truncates a block to the lines that fit. Returns the same block when all fit, null when none does. */
function truncateBlock(whole: TextBlock, remaining: number): TextBlock | null {
  const available = remaining - formatPath(whole.path).length - 60;
  if (available < 0) return null;
  const { body } = whole;
  if (body.kind === 'image') return body.announcement.length <= available ? whole : null;
  if (body.kind === 'folded') {
    const lengths = formatFoldedLines(body.items)
      .split('\n')
      .map((line) => line.length);
    const shown = countWithin(lengths, 0, available);
    if (shown === body.items.length) return whole;
    return shown === 0 ? null : { ...whole, body: { ...body, items: body.items.slice(0, shown) } };
  }
  const lengths = lineCosts(whole, body);
  if (whole.keep === 'end') lengths.reverse();
  const shown = countWithin(lengths, body.first + body.lines.length, available);
  if (shown === body.lines.length) return whole;
  const from = whole.keep === 'end' ? body.lines.length - shown : 0;
  const lines = body.lines.slice(from, from + shown);
  const first = body.first + from;
  const replaced = whole.replaced?.filter(
    (each) => each.lines.end >= first && each.lines.start < first + shown,
  );
  return shown === 0 ? null : { ...whole, ...(replaced && { replaced }), body: { ...body, first, lines } };
}

/** A replaced entry gets its note with the first of its lines that is shown, so the note's length is charged to that line. */
function lineCosts({ path, keep, replaced = [] }: TextBlock, { first, lines }: LinesBody): number[] {
  const lengths = lines.map((line) => line.length);
  for (const entry of replaced) {
    const { start, end } = entry.lines;
    const index = keep === 'end' ? Math.min(end - first, lines.length - 1) : Math.max(start - first, 0);
    lengths[index] = (lengths[index] ?? 0) + lengthOfReplacedNotes(path, [entry]);
  }
  return lengths;
}

function lengthOfReplacedNotes(path: VaultPath, replaced: readonly ReplacedEntry[]): number {
  return formatReplacedNotes(path, replaced).reduce((sum, note) => sum + formatNote(note).length + 1, 0);
}

function countWithin(lengths: number[], lastNumber: number, maxCharacters: number): number {
  const prefix = lineNumberWidth(lastNumber) + 4;
  let used = 0;
  const over = lengths.findIndex((length) => (used += length + prefix) > maxCharacters);
  return over < 0 ? lengths.length : over;
}

/** The lines of an omitted block; null when they are the whole file. */
function linesOf(whole: TextBlock): string | null {
  const { body, totalLines } = whole;
  if (body.kind !== 'lines' || body.lines.length === totalLines) return null;
  const { start, end } = requestedLines(whole, body);
  return `${start}-${end}`;
}

/** The requested lines that are not shown; null when all of them are. */
function missingLines(whole: TextBlock, { body: shown }: TextBlock): string | null {
  const { body, totalLines } = whole;
  if (body.kind === 'lines' && shown.kind === 'lines') {
    const { start, end } = requestedLines(whole, body);
    const next = shown.first + shown.lines.length;
    if (shown.first > start) return `${start}-${shown.first - 1}`;
    return next > end ? null : `${next}-${end}`;
  }
  if (body === shown || shown.kind !== 'folded') return null;
  const last = shown.items.at(-1);
  return `${(last?.kind === 'line' ? last.number : (last?.last ?? 0)) + 1}-${totalLines}`;
}

function requestedLines({ requested }: TextBlock, { first, lines }: LinesBody): LineRange {
  return requested ?? { start: first, end: first + lines.length - 1 };
}

/** Lists the omitted content as paths that can be requested, with a line range where a file is truncated. */
function formatOmitted(omitted: readonly Omitted[], bounds: ResultLimits): string {
  const names = omitted.map(({ path, lines }) => (lines === null ? path : `${path}:${lines}`));
  const fitting = takeWithin(names, 1_200);
  const shown = fitting.length > 0 ? fitting : [`${names[0]?.slice(0, 1_200)}…`];
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  const holds = `a result holds at most ${formatTokens(bounds.tokens)} tokens and ${bounds.images} images`;
  return `omitted (${holds}): ${shown.join(', ')}${more}. Request them in separate calls.`;
}

const formatNote = (note: string): string => `note: ${note}`;

function formatErrors(errors: readonly PathError[], remaining: number): string[] {
  const lines = errors.map(formatPathError);
  const shown = takeWithin(lines, Math.max(remaining, 0));
  if (shown.length < lines.length)
    shown.push(`error: ${lines.length - shown.length} more paths have errors; request fewer paths at a time`);
  return shown;
}

/** Takes the texts that fit into `maxCharacters` characters, counting two characters per separator. */
function takeWithin(texts: readonly string[], maxCharacters: number): string[] {
  let used = 0;
  const over = texts.findIndex((text) => (used += text.length + 2) > maxCharacters);
  return texts.slice(0, over < 0 ? texts.length : over);
}
