import type { PathError, ReadValue } from '../contract/index.ts';
import {
  block,
  foldedLines,
  joinBlocks,
  numberedLines,
  numberWidth,
  showFolder,
  showPath,
  showTokens,
} from '../vault/index.ts';
import type { FoldedItem, LineRange, ReplacedEntry, Revision, VaultPath } from '../vault/index.ts';
import { errorLine } from './define-tool.ts';
import type { ImagePart } from './define-tool.ts';
import { withReplaced } from './replaced-note.ts';
import type { Bounds } from './run.ts';
import type { Shown } from './shown.ts';

export type TextBlock = {
  path: VaultPath;
  revision: Revision;
  totalLines: number;
  tokens: number;
  body: LinesBody | { kind: 'folded'; items: FoldedItem[] } | { kind: 'image'; announcement: string };
  /** The lines that were asked for, where they are more than the body has. */
  asked?: LineRange;
  /** Which end stays when it must be shortened. */
  keep: 'start' | 'end';
  /** The entries of a changelog in it that later ones replace. */
  replaced?: readonly ReplacedEntry[];
  /** The header of a range that was asked for names its lines; any other names them only when some are missing. */
  isRange: boolean;
};

type LinesBody = { kind: 'lines'; first: number; lines: string[] };

type LeftOut = ReadValue['leftOut'][number];

/** A document being put together from blocks and images in order, within the bounds of one result. */
export type Assembly = {
  isFull(): boolean;
  /** With something to know about it, which goes below all blocks. */
  addBlock(block: TextBlock, note?: string): void;
  addEmptyFolder(path: VaultPath): void;
  /** False when there is no room for it. */
  addImage(image: ImagePart, announcement: string): boolean;
  addError(error: PathError): void;
  /** Something to know that concerns no block; it goes below all of them. */
  addNote(note: string): void;
  /** `path` as the result speaks of it; null for all of its lines. */
  leaveOut(path: string, lines: string | null): void;
  finish(): Assembled;
};

type Assembled = {
  text: string;
  images: ImagePart[];
  blocks: TextBlock[];
  errors: PathError[];
  notes: string[];
  leftOut: LeftOut[];
};

/** Kept free for the lines that say what was left out. */
const reserve = 2_000;

export function startAssembly(bounds: Bounds): Assembly {
  const pieces: string[] = [];
  const images: ImagePart[] = [];
  const blocks: TextBlock[] = [];
  const errors: PathError[] = [];
  const notes: string[] = [];
  const leftOut: LeftOut[] = [];
  let room = bounds.tokens * 4 - reserve;
  let full = false;

  const addPiece = (piece: string): void => {
    pieces.push(piece);
    room -= piece.length + 2;
  };
  const leave = (path: string, lines: string | null): void => {
    full = true;
    leftOut.push({ path, lines });
  };

  return {
    isFull: () => full,
    addBlock(whole, note) {
      const line = note === undefined ? '' : `${noteLine(note)}\n`;
      const fitting = shorten(whole, room - line.length);
      if (fitting === null && pieces.length === 0 && whole.body.kind === 'lines') {
        const { first, rest } = apartFromFirst(whole, whole.body);
        errors.push({ path: showPath(whole.path), message: tooLong(first) });
        if (rest !== null) leave(showPath(whole.path), rest);
        return;
      }
      if (fitting === null) return leave(showPath(whole.path), linesOf(whole));
      addPiece(renderBlock(fitting));
      blocks.push(fitting);
      if (note !== undefined) {
        notes.push(note);
        room -= line.length;
      }
      const missing = missingLines(whole, fitting);
      if (missing !== null) leave(showPath(whole.path), missing);
    },
    addEmptyFolder(path) {
      const piece = block(showFolder(path), '');
      if (piece.length > room) leave(showFolder(path), null);
      else addPiece(piece);
    },
    addImage(image, announcement) {
      const fits = announcement.length <= room;
      if (fits) {
        images.push(image);
        addPiece(announcement);
        full ||= images.length === bounds.images;
      } else leave(image.path, null);
      return fits;
    },
    addError: (error) => void errors.push(error),
    addNote(note) {
      notes.push(note);
      room -= noteLine(note).length + 1;
    },
    leaveOut: leave,
    finish() {
      const below = [...notes.map(noteLine), ...errorLines(errors, room)];
      if (leftOut.length > 0) below.push(leftOutLine(leftOut, bounds));
      const text = joinBlocks([...pieces, below.join('\n')].filter((part) => part !== ''));
      return { text, images, blocks, errors, notes, leftOut };
    },
  };
}

/** It would not fit into the next result either. */
const tooLong = (line: number): string =>
  `line ${line} alone is longer than one result can hold; open it in an editor`;

/** The line that would have been shown first, and those after it. */
function apartFromFirst(whole: TextBlock, body: LinesBody): { first: number; rest: string | null } {
  const { start, end } = askedOf(whole, body);
  const first = whole.keep === 'end' ? end : start;
  const rest = whole.keep === 'end' ? `${start}-${end - 1}` : `${start + 1}-${end}`;
  return { first, rest: start === end ? null : rest };
}

/** Only what is shown counts as seen; folded it is an outline, not lines. */
export function noteBlock(shown: Shown, { path, revision, body }: TextBlock): void {
  if (body.kind === 'lines') shown.note(path, revision, body.first, body.lines);
}

function renderBlock(shown: TextBlock): string {
  const { body } = shown;
  const rendered = block(`${showPath(shown.path)}${headerNote(shown)}`, renderBody(body));
  return withReplaced(rendered, shown.path, shown.replaced ?? []);
}

function renderBody(body: TextBlock['body']): string {
  switch (body.kind) {
    case 'lines':
      return numberedLines(body.lines, body.first);
    case 'folded':
      return foldedLines(body.items);
    case 'image':
      return body.announcement;
  }
}

function headerNote({ body, totalLines, isRange }: TextBlock): string {
  if (body.kind === 'image') return '';
  if (body.kind === 'folded') return ` (folded, ${totalLines} lines)`;
  const last = body.first + body.lines.length - 1;
  if (isRange) return ` (lines ${body.first}-${last})`;
  return body.lines.length === totalLines ? '' : ` (lines ${body.first}-${last} of ${totalLines})`;
}

/** The block with as many of its lines as have room, itself when all have, null when none has. */
function shorten(whole: TextBlock, room: number): TextBlock | null {
  const available = room - showPath(whole.path).length - 60;
  if (available < 0) return null;
  const { body } = whole;
  if (body.kind === 'image') return body.announcement.length <= available ? whole : null;
  if (body.kind === 'folded') {
    const lengths = foldedLines(body.items)
      .split('\n')
      .map((line) => line.length);
    const shown = countFitting(lengths, 0, available);
    if (shown === body.items.length) return whole;
    return shown === 0 ? null : { ...whole, body: { ...body, items: body.items.slice(0, shown) } };
  }
  const lengths = lengthsOf(whole, body);
  if (whole.keep === 'end') lengths.reverse();
  const shown = countFitting(lengths, body.first + body.lines.length, available);
  if (shown === body.lines.length) return whole;
  const from = whole.keep === 'end' ? body.lines.length - shown : 0;
  const lines = body.lines.slice(from, from + shown);
  const first = body.first + from;
  const replaced = whole.replaced?.filter(
    (each) => each.lines.end >= first && each.lines.start < first + shown,
  );
  return shown === 0 ? null : { ...whole, ...(replaced && { replaced }), body: { ...body, first, lines } };
}

/** An entry that was replaced is told of as soon as one of its lines is shown: that one has its note to pay for. */
function lengthsOf({ path, keep, replaced = [] }: TextBlock, { first, lines }: LinesBody): number[] {
  const lengths = lines.map((line) => line.length);
  for (const entry of replaced) {
    const { start, end } = entry.lines;
    const index = keep === 'end' ? Math.min(end - first, lines.length - 1) : Math.max(start - first, 0);
    lengths[index] = (lengths[index] ?? 0) + withReplaced('', path, [entry]).length;
  }
  return lengths;
}

function countFitting(lengths: number[], lastNumber: number, room: number): number {
  const prefix = numberWidth(lastNumber) + 4;
  let used = 0;
  const over = lengths.findIndex((length) => (used += length + prefix) > room);
  return over < 0 ? lengths.length : over;
}

/** The lines a block would have shown; null when they are all of the file. */
function linesOf(whole: TextBlock): string | null {
  const { body, totalLines } = whole;
  if (body.kind !== 'lines' || body.lines.length === totalLines) return null;
  const { start, end } = askedOf(whole, body);
  return `${start}-${end}`;
}

/** The lines that were asked for and are not shown; null when all of them are. */
function missingLines(whole: TextBlock, { body: shown }: TextBlock): string | null {
  const { body, totalLines } = whole;
  if (body.kind === 'lines' && shown.kind === 'lines') {
    const { start, end } = askedOf(whole, body);
    const next = shown.first + shown.lines.length;
    if (shown.first > start) return `${start}-${shown.first - 1}`;
    return next > end ? null : `${next}-${end}`;
  }
  if (body === shown || shown.kind !== 'folded') return null;
  const last = shown.items.at(-1);
  return `${(last?.kind === 'line' ? last.number : (last?.last ?? 0)) + 1}-${totalLines}`;
}

function askedOf({ asked }: TextBlock, { first, lines }: LinesBody): LineRange {
  return asked ?? { start: first, end: first + lines.length - 1 };
}

/** Each as a path that can be asked for; one that is cut in the middle carries its lines. */
function leftOutLine(leftOut: readonly LeftOut[], bounds: Bounds): string {
  const names = leftOut.map(({ path, lines }) => (lines === null ? path : `${path}:${lines}`));
  const fitting = firstUpTo(names, 1_200);
  const shown = fitting.length > 0 ? fitting : [`${names[0]?.slice(0, 1_200)}…`];
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  const holds = `one result holds ${showTokens(bounds.tokens)} tokens and ${bounds.images} images`;
  return `left out (${holds}): ${shown.join(', ')}${more}. Ask for them by these paths, in other calls.`;
}

const noteLine = (note: string): string => `note: ${note}`;

function errorLines(errors: readonly PathError[], room: number): string[] {
  const lines = errors.map(errorLine);
  const shown = firstUpTo(lines, Math.max(room, 0));
  if (shown.length < lines.length)
    shown.push(`error: ${lines.length - shown.length} more paths have errors; name fewer at a time`);
  return shown;
}

/** As many of the texts as fit in `room` characters, two of them for what joins them. */
function firstUpTo(texts: readonly string[], room: number): string[] {
  let used = 0;
  const over = texts.findIndex((text) => (used += text.length + 2) > room);
  return texts.slice(0, over < 0 ? texts.length : over);
}
