import type { LineRange } from '../vault/index.ts';
import { comparableLine, searchable } from './compare-text.ts';
import { locateLines } from './locate-lines.ts';

/** The search stops after this number of matches, because a single letter may occur anywhere. */
export const maxReportedMatches = 20;

const byteOrderMark = '\ufeff';

/** The lines of a text and their line endings. */
type Lines = { contents: string[]; ends: string[] };

export type EditResult =
  | AppliedEdit
  | { kind: 'ambiguous'; places: number[] }
  /** `near` is the range of line numbers in `old`; null when it has none. */
  | { kind: 'missing'; near: LineRange | null }
  /** The numbers in `replacement` continue after the replaced lines, so they may be line numbers or text. */
  | { kind: 'numbered-replacement' };

type AppliedEdit = {
  kind: 'applied';
  text: string;
  /** The replaced lines, in line numbers of the original text. */
  replaced: LineRange;
  /** The new lines, in line numbers of the new text. */
  first: number;
  last: number;
  movedFrom: number | null;
  /** Whether line numbers were stripped from the replacement. */
  isUnnumbered: boolean;
};

/**
 * Replaces `old` with `replacement` in a text. `old` contains lines as `read` shows them: the numbers give the
 * position, and the content must match. Moved content is found if it occurs only once. Without numbers, `old` is any
 * text that occurs exactly once. Line endings and the byte order mark of the file are kept.
 */
export function applyEdit(text: string, old: string, replacement: string): EditResult {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  // A file that contains only a byte order mark has one empty line.
  const lines = text === byteOrderMark ? { contents: [''], ends: [''] } : splitText(text.slice(mark.length));
  const asGiven = locate(lines, old);
  const isMarked = asGiven.kind === 'missing' && old.startsWith(byteOrderMark);
  const found = isMarked ? locate(lines, old.slice(byteOrderMark.length)) : asGiven;
  if (found.kind !== 'found') return found;
  const { start, end, before, after, movedFrom, named } = found;
  const own =
    named === null ? { kind: 'text' as const, text: replacement } : stripLineNumbers(replacement, named);
  if (own.kind === 'unclear') return { kind: 'numbered-replacement' };
  const isAtMark = mark !== '' && start === 1 && before === '' && own.text.startsWith(mark);
  const inserted = (isAtMark ? own.text.slice(mark.length) : own.text).replaceAll('\r\n', '\n');
  const isDeletion = replacement === '' && before === '' && after === '';
  // At the end of a line, a final newline is the line ending; within a line, it splits the line.
  const whole = `${before}${after === '' ? stripFinalNewline(inserted) : inserted}${after}`;
  const newLines = isDeletion ? [] : whole.split('\n');
  const endOfLine = lines.ends.find((each) => each !== '') ?? '\n';
  const ends = newLines.map((_, index) =>
    index < newLines.length - 1 ? endOfLine : (lines.ends[end - 1] ?? endOfLine),
  );
  // Array.splice would exceed the maximum number of arguments for a large insertion.
  const replaceIn = (all: string[], by: string[]): string[] => [
    ...all.slice(0, start - 1),
    ...by,
    ...all.slice(end),
  ];
  const changed = { contents: replaceIn(lines.contents, newLines), ends: replaceIn(lines.ends, ends) };
  return {
    kind: 'applied',
    text: mark + joinText(changed),
    replaced: { start, end },
    first: start,
    last: start + newLines.length - 1,
    movedFrom,
    isUnnumbered: own.kind === 'unnumbered',
  };
}

type EditLocation =
  | {
      kind: 'found';
      start: number;
      end: number;
      before: string;
      after: string;
      movedFrom: number | null;
      /** The line numbers in `old`; null when it has none. */
      named: LineRange | null;
    }
  | Extract<EditResult, { kind: 'ambiguous' | 'missing' }>;

/** An apparent line number may be text, as in a table of years, so `old` is also searched as plain text. */
function locate(lines: Lines, old: string): EditLocation {
  const rows = parseNumberedLines(old);
  const named = rows && rangeOf(rows);
  if (rows === null || named === null || !isConsecutive(rows)) return findText(lines, old, named);
  const comparable = rows.map(({ line }) => comparableLine(line));
  const at = (start: number, movedFrom: number | null): EditLocation => {
    const end = start + comparable.length - 1;
    return { kind: 'found', start, end, before: '', after: '', movedFrom, named };
  };
  const found = locateLines(lines.contents.map(comparableLine), comparable, named.start);
  if (found.kind === 'same') return at(named.start, null);
  const asText = findText(lines, old, named);
  if (found.kind === 'missing') return asText;
  const places = found.kind === 'moved' ? [found.first] : found.places;
  if (asText.kind === 'missing' && found.kind === 'moved') return at(found.first, named.start);
  const others = asText.kind === 'found' ? [asText.start] : asText.kind === 'ambiguous' ? asText.places : [];
  return { kind: 'ambiguous', places: [...places, ...others].toSorted((a, b) => a - b) };
}

function findText({ contents, ends }: Lines, old: string, near: LineRange | null): EditLocation {
  const original = contents.join('\n') + ((ends.at(-1) ?? '') === '' ? '' : '\n');
  const { text, originOf, isBoundary } = searchable(original);
  const piece = searchable(old.replaceAll('\r\n', '\n')).text;
  const length = stripFinalNewline(piece).length;
  const offsets: number[] = [];
  for (
    let at = text.indexOf(piece);
    at >= 0 && offsets.length <= maxReportedMatches;
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

/** Parses lines with line numbers; null when a line has no number. */
function parseNumberedLines(text: string): NumberedRow[] | null {
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

/** Strips the line numbers of the replaced lines. Other numbers are text, such as the years in a table. */
function stripLineNumbers(text: string, replaced: LineRange): Unnumbered {
  const rows = parseNumberedLines(text);
  const isRising = rows?.every(({ number }, index) => number > (rows[index - 1]?.number ?? 0)) === true;
  if (rows === null || !isRising) return { kind: 'text', text };
  const { start, end } = rangeOf(rows);
  if (start >= replaced.start && end <= replaced.end)
    return { kind: 'unnumbered', text: rows.map(({ line }) => line).join('\n') };
  return start === replaced.start && isConsecutive(rows) ? { kind: 'unclear' } : { kind: 'text', text };
}

function splitText(text: string): Lines {
  const pieces = text.split(/(?<=\n)/).filter((piece) => piece !== '');
  const ends = pieces.map((piece) => /\r?\n$/.exec(piece)?.[0] ?? '');
  return {
    contents: pieces.map((piece, index) => piece.slice(0, piece.length - (ends[index]?.length ?? 0))),
    ends,
  };
}

function joinText({ contents, ends }: Lines): string {
  return contents.map((content, index) => content + (ends[index] ?? '')).join('');
}

function stripFinalNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
