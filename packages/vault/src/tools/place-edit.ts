import type { LineRange } from '../vault/index.ts';
import { comparableLine, searchable } from './compare-text.ts';
import { findLines } from './find-lines.ts';

/** More are not told, nor looked for: one letter may stand anywhere. */
export const mostPlaces = 20;

const byteOrderMark = '\ufeff';

/** A text taken apart: its lines, and how each of them ends. */
type Lines = { contents: string[]; ends: string[] };

export type PlacedEdit =
  | Placed
  | { kind: 'ambiguous'; places: number[] }
  /** `near` is the lines that `old` names, where it names any. */
  | { kind: 'missing'; near: LineRange | null }
  /** `replacement` goes on counting after the lines that it replaces: these may be numbers of lines or text. */
  | { kind: 'numbered-replacement' };

type Placed = {
  kind: 'placed';
  text: string;
  /** The lines that are gone, in the numbers of the text before. */
  replaced: LineRange;
  /** The lines in their place. */
  first: number;
  last: number;
  movedFrom: number | null;
  /** Whether the replacement carried the numbers of the lines that it replaces, which are no part of the text. */
  isUnnumbered: boolean;
};

/**
 * Replaces `old` by `replacement` in a text. `old` is lines as `read` shows them, numbers included: the numbers say
 * where, the content must match what is shown. Content that moved is found where it occurs only once. Without numbers,
 * `old` is any piece of text that occurs exactly once. Line ends and the byte order mark of the file are kept.
 */
export function placeEdit(text: string, old: string, replacement: string): PlacedEdit {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  // A file with nothing but its mark has one line, which is empty.
  const lines = text === byteOrderMark ? { contents: [''], ends: [''] } : takeApart(text.slice(mark.length));
  const asGiven = locate(lines, old);
  const isMarked = asGiven.kind === 'missing' && old.startsWith(byteOrderMark);
  const found = isMarked ? locate(lines, old.slice(byteOrderMark.length)) : asGiven;
  if (found.kind !== 'found') return found;
  const { start, end, before, after, movedFrom, named } = found;
  const own = named === null ? { kind: 'text' as const, text: replacement } : unnumber(replacement, named);
  if (own.kind === 'unclear') return { kind: 'numbered-replacement' };
  const isAtMark = mark !== '' && start === 1 && before === '' && own.text.startsWith(mark);
  const inserted = (isAtMark ? own.text.slice(mark.length) : own.text).replaceAll('\r\n', '\n');
  const isDeletion = replacement === '' && before === '' && after === '';
  // At the end of a line a final newline is the end of that line; in the middle of one it cuts it in two.
  const whole = `${before}${after === '' ? stripFinalNewline(inserted) : inserted}${after}`;
  const fresh = isDeletion ? [] : whole.split('\n');
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
    text: mark + putTogether(changed),
    replaced: { start, end },
    first: start,
    last: start + fresh.length - 1,
    movedFrom,
    isUnnumbered: own.kind === 'unnumbered',
  };
}

type FoundPlace =
  | {
      kind: 'found';
      start: number;
      end: number;
      before: string;
      after: string;
      movedFrom: number | null;
      /** The lines as `old` numbers them; null when it carries no numbers. */
      named: LineRange | null;
    }
  | Extract<PlacedEdit, { kind: 'ambiguous' | 'missing' }>;

/** What looks like a number of a line may be text, as in a table of years: the text is looked for, too. */
function locate(lines: Lines, old: string): FoundPlace {
  const rows = numberedRows(old);
  const named = rows && rangeOf(rows);
  if (rows === null || named === null || !isConsecutive(rows)) return findPiece(lines, old, named);
  const wanted = rows.map(({ line }) => comparableLine(line));
  const at = (start: number, movedFrom: number | null): FoundPlace => {
    const end = start + wanted.length - 1;
    return { kind: 'found', start, end, before: '', after: '', movedFrom, named };
  };
  const found = findLines(lines.contents.map(comparableLine), wanted, named.start);
  if (found.kind === 'same') return at(named.start, null);
  const asText = findPiece(lines, old, named);
  if (found.kind === 'gone') return asText;
  const places = found.kind === 'moved' ? [found.first] : found.places;
  if (asText.kind === 'missing' && found.kind === 'moved') return at(found.first, named.start);
  const others = asText.kind === 'found' ? [asText.start] : asText.kind === 'ambiguous' ? asText.places : [];
  return { kind: 'ambiguous', places: [...places, ...others].toSorted((a, b) => a - b) };
}

function findPiece({ contents, ends }: Lines, old: string, near: LineRange | null): FoundPlace {
  const original = contents.join('\n') + ((ends.at(-1) ?? '') === '' ? '' : '\n');
  const { text, originOf, isBoundary } = searchable(original);
  const piece = searchable(old.replaceAll('\r\n', '\n')).text;
  const length = stripFinalNewline(piece).length;
  const offsets: number[] = [];
  for (
    let at = text.indexOf(piece);
    at >= 0 && offsets.length <= mostPlaces;
    at = text.indexOf(piece, at + 1)
  )
    if (isBoundary(at) && isBoundary(at + length)) offsets.push(at);
  const [offset] = offsets;
  const lineAt = (position: number): number => text.slice(0, position).split('\n').length;
  if (offset === undefined) return { kind: 'missing', near };
  if (offsets.length > 1) return { kind: 'ambiguous', places: offsets.map(lineAt) };
  const [from, to] = [originOf(offset), originOf(offset + length)];
  const lineStart = from === 0 ? 0 : original.lastIndexOf('\n', from - 1) + 1;
  const lineEnd = original.indexOf('\n', to) < 0 ? original.length : original.indexOf('\n', to);
  return {
    kind: 'found',
    start: lineAt(offset),
    end: lineAt(offset + length),
    before: original.slice(lineStart, from),
    after: original.slice(to, lineEnd),
    movedFrom: null,
    named: null,
  };
}

const numberedLine = /^\s*(\d+)\s*\|(?: (.*))?$/s;

type NumberedRow = { number: number; line: string };

/** The lines of a text with their numbers, or null when one has none. */
function numberedRows(text: string): NumberedRow[] | null {
  const rows = stripFinalNewline(text.replaceAll('\r\n', '\n'))
    .split('\n')
    .map((row) => numberedLine.exec(row));
  return rows.every((row) => row !== null)
    ? rows.map(([, number, line = '']) => ({ number: Number(number), line }))
    : null;
}

function rangeOf(rows: readonly NumberedRow[]): LineRange {
  const numbers = rows.map(({ number }) => number).toSorted((a, b) => a - b);
  return { start: numbers[0] ?? 1, end: numbers.at(-1) ?? 1 };
}

function isConsecutive(rows: readonly NumberedRow[]): boolean {
  return rows.every(({ number }, index) => number === (rows[0]?.number ?? 0) + index);
}

type Unnumbered = { kind: 'text' | 'unnumbered'; text: string } | { kind: 'unclear' };

/** A text without the numbers of the lines that it replaces. Any others are text, as the years of a table are. */
function unnumber(text: string, replaced: LineRange): Unnumbered {
  const rows = numberedRows(text);
  const isRising = rows?.every(({ number }, index) => number > (rows[index - 1]?.number ?? 0)) === true;
  if (rows === null || !isRising) return { kind: 'text', text };
  const { start, end } = rangeOf(rows);
  if (start >= replaced.start && end <= replaced.end)
    return { kind: 'unnumbered', text: rows.map(({ line }) => line).join('\n') };
  return start === replaced.start && isConsecutive(rows) ? { kind: 'unclear' } : { kind: 'text', text };
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

function stripFinalNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
