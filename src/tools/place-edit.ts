import type { LineRange } from '../vault/index.ts';
import { findLines } from './find-lines.ts';

/** More are not told, nor looked for: one letter may stand anywhere. */
export const mostPlaces = 20;

/** A text taken apart: its lines, and how each of them ends. */
type Lines = { contents: string[]; ends: string[] };

export type PlacedEdit = Placed | { kind: 'ambiguous'; places: number[] } | { kind: 'missing'; near: number };

type Placed = {
  kind: 'placed';
  text: string;
  /** The lines that are gone, in the numbers of the text before. */
  replaced: LineRange;
  /** The lines in their place. */
  first: number;
  last: number;
  movedFrom: number | null;
};

/**
 * Replaces `old` by `replacement` in a text. `old` is lines as `read` shows them, numbers included: the numbers say
 * where, the content must match exactly. Content that moved is found where it occurs only once. Without numbers,
 * `old` is any piece of text that occurs exactly once. Line ends of the file are kept.
 */
export function placeEdit(text: string, old: string, replacement: string): PlacedEdit {
  const lines = takeApart(text);
  const wanted = numbered(old);
  const found = wanted === null ? findPiece(lines, old) : findNumbered(lines, wanted);
  if (found.kind !== 'found') return found;
  const { start, end, before, after, movedFrom } = found;
  const inserted = unnumber(replacement).replaceAll('\r\n', '\n');
  const isDeletion = inserted === '' && before === '' && after === '';
  const fresh = isDeletion ? [] : `${before}${stripFinalNewline(inserted)}${after}`.split('\n');
  const endOfLine = lines.ends.find((each) => each !== '') ?? '\n';
  const ends = fresh.map((_, index) =>
    index < fresh.length - 1 ? endOfLine : (lines.ends[end - 1] ?? endOfLine),
  );
  // Not spliced: what is inserted may be more than a call has room for.
  const replaceIn = (all: string[], by: string[]): string[] => [
    ...all.slice(0, start - 1),
    ...by,
    ...all.slice(end),
  ];
  const changed = { contents: replaceIn(lines.contents, fresh), ends: replaceIn(lines.ends, ends) };
  return {
    kind: 'placed',
    text: putTogether(changed),
    replaced: { start, end },
    first: start,
    last: start + fresh.length - 1,
    movedFrom,
  };
}

type FoundPlace =
  | { kind: 'found'; start: number; end: number; before: string; after: string; movedFrom: number | null }
  | Exclude<PlacedEdit, Placed>;

function findNumbered({ contents }: Lines, { first, lines }: { first: number; lines: string[] }): FoundPlace {
  const at = (start: number, movedFrom: number | null): FoundPlace => ({
    kind: 'found',
    start,
    end: start + lines.length - 1,
    before: '',
    after: '',
    movedFrom,
  });
  const found = findLines(contents.map(shown), lines, first);
  switch (found.kind) {
    case 'same':
      return at(first, null);
    case 'moved':
      return at(found.first, first);
    case 'several':
      return { kind: 'ambiguous', places: found.places };
    case 'gone':
      return { kind: 'missing', near: Math.min(first, Math.max(1, contents.length)) };
  }
}

function findPiece({ contents, ends }: Lines, old: string): FoundPlace {
  const text = contents.join('\n') + ((ends.at(-1) ?? '') === '' ? '' : '\n');
  const piece = old.replaceAll('\r\n', '\n');
  const offsets: number[] = [];
  for (
    let at = text.indexOf(piece);
    at >= 0 && offsets.length <= mostPlaces;
    at = text.indexOf(piece, at + 1)
  )
    offsets.push(at);
  const [offset] = offsets;
  const lineAt = (position: number): number => text.slice(0, position).split('\n').length;
  if (offset === undefined) return { kind: 'missing', near: 1 };
  if (offsets.length > 1) return { kind: 'ambiguous', places: offsets.map(lineAt) };
  const end = offset + stripFinalNewline(piece).length;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end);
  return {
    kind: 'found',
    start: lineAt(offset),
    end: lineAt(end),
    before: text.slice(lineStart, offset),
    after: text.slice(end, lineEnd),
    movedFrom: null,
  };
}

const numberedLine = /^\s*(\d+)\s*\|(?: (.*))?$/s;

/** The numbered lines of a text, or null when not every line has the next number. */
function numbered(text: string): { first: number; lines: string[] } | null {
  const rows = stripFinalNewline(text.replaceAll('\r\n', '\n'))
    .split('\n')
    .map((row) => numberedLine.exec(row));
  const first = Number(rows[0]?.[1]);
  const isConsecutive = rows.every((row, index) => row !== null && Number(row[1]) === first + index);
  return isConsecutive ? { first, lines: rows.map((row) => row?.[2] ?? '') } : null;
}

function unnumber(text: string): string {
  return numbered(text)?.lines.join('\n') ?? text;
}

function takeApart(text: string): Lines {
  const pieces = text.split(/(?<=\n)/).filter((piece) => piece !== '');
  const ends = pieces.map((piece) => /\r?\n$/.exec(piece)?.[0] ?? '');
  return {
    contents: pieces.map((piece, index) => piece.slice(0, piece.length - (ends[index]?.length ?? 0))),
    ends,
  };
}

function putTogether({ contents, ends }: Lines): string {
  return contents.map((content, index) => content + (ends[index] ?? '')).join('');
}

/** As `read` shows it. */
function shown(line: string): string {
  return line.replaceAll('\r', '␍');
}

function stripFinalNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
