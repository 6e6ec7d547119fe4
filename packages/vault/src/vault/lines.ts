import type { ByteSource } from './byte-source.ts';
import { forEachChunk } from './byte-source.ts';
import { decodeText, maxTextBytes } from './decode-text.ts';
import type { NotText } from './decode-text.ts';

/** Consecutive lines of a file, without line endings; `first` is the line number of the first one. */
type Lines = { kind: 'lines'; first: number; lines: string[] };

export type LinesResult = Lines | NotText | { kind: 'line-too-long'; bytes: number } | TooLarge;
type TooLarge = { kind: 'too-large'; bytes: number };

/** A single line that exceeds the budget is still returned, up to this size. */
const maxSingleLineBytes = 64_000;
const newline = 10;

/**
 * Splits a text into lines. Only `\n` ends a line, a preceding `\r` belongs to the line ending, and a final newline
 * does not start another line.
 */
export function splitLines(text: string): string[] {
  return splitKeepingEnds(text).map(stripLineEnding);
}

export async function readAllLines(source: ByteSource): Promise<LinesResult> {
  return sliceLines(source, 0, source.size, 1);
}

/** Reads whole lines from the start that fit into `tokens` (4 characters each), including line endings. */
export async function readHeadLines(source: ByteSource, tokens: number): Promise<LinesResult> {
  const budget = characterBudget(tokens);
  const bytes = await source.read(0, maxUtf8Bytes(budget));
  const decoded = decodeText(
    bytes.length < source.size ? bytes.subarray(0, bytes.lastIndexOf(newline) + 1) : bytes,
  );
  if (decoded.kind === 'not-text') return decoded;
  const fitting = takeWithin(splitKeepingEnds(decoded.text), budget);
  if (fitting.length > 0 || source.size === 0)
    return { kind: 'lines', first: 1, lines: fitting.map(stripLineEnding) };
  return readSingleLine(source, 0, await endOfLine(source), 1);
}

/** Reads whole lines from the end; `totalLines` is needed for the line numbers. */
export async function readTailLines(
  source: ByteSource,
  tokens: number,
  totalLines: number,
): Promise<LinesResult> {
  const budget = characterBudget(tokens);
  const from = Math.max(0, source.size - maxUtf8Bytes(budget));
  const bytes = await source.read(from, source.size - from);
  // The bytes before the first line ending belong to a line that began earlier.
  const decoded = decodeText(from === 0 ? bytes : bytes.subarray(afterFirstLine(bytes)));
  if (decoded.kind === 'not-text') return decoded;
  const fitting = takeWithin(splitKeepingEnds(decoded.text).toReversed(), budget).toReversed();
  if (fitting.length > 0 || source.size === 0) {
    return { kind: 'lines', first: totalLines - fitting.length + 1, lines: fitting.map(stripLineEnding) };
  }
  return readSingleLine(source, await startOfLastLine(source), source.size, totalLines);
}

/** Reads lines `start` to `end`, clipped to the end of the file. */
export async function readLineRange(source: ByteSource, start: number, end: number): Promise<LinesResult> {
  let line = 1;
  let from = start === 1 ? 0 : source.size;
  let to = source.size;
  await forEachChunk(source, (bytes, position) => {
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) {
      line += 1;
      if (line === start) from = position + at + 1;
      if (line > end) {
        to = position + at + 1;
        return false;
      }
    }
    return true;
  });
  return sliceLines(source, from, to, start);
}

/** `end` is `Infinity` for a range to the end of the file. */
export type LineRange = { start: number; end: number };

/** Parses `"9-14"`, `"9-"` (to the end) or `"9"` (one line). Numbers start at 1. */
export function parseLineRange(text: string): { ok: true; range: LineRange } | { ok: false; reason: string } {
  const match = /^(\d{1,15})(?:\s*-\s*(\d{1,15})?)?$/.exec(text.trim());
  if (match === null)
    return { ok: false, reason: 'is not a range of lines; write it as "9-14", "9-" to the end, or "9"' };
  const start = Number(match[1]);
  const end = match[2] !== undefined ? Number(match[2]) : text.includes('-') ? Infinity : start;
  if (Math.min(start, end) < 1) {
    const last = Math.max(start, end, 1);
    const range = text.includes('-') ? `1-${last === Infinity ? '' : last}` : '1';
    return { ok: false, reason: `starts before line 1; write it as "${range}"` };
  }
  if (end < start) return { ok: false, reason: `is reversed; write it as "${end}-${start}"` };
  return { ok: true, range: { start, end } };
}

export type LineRanges =
  | { ok: true; ranges: LineRange[] }
  /** `input` is the part that is not a range. */
  | { ok: false; input: string; reason: string };

/** Parses ranges separated by commas, such as `"11-12,18"`. Sorts them, and joins those that overlap or touch. */
export function parseLineRanges(text: string): LineRanges {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  const ranges: LineRange[] = [];
  for (const input of parts.length === 0 ? [text] : parts) {
    const parsed = parseLineRange(input);
    if (!parsed.ok) return { ok: false, input: input.trim(), reason: parsed.reason };
    ranges.push(parsed.range);
  }
  const joined: LineRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || range.start > last.end + 1) joined.push({ ...range });
    else last.end = Math.max(last.end, range.end);
  }
  return { ok: true, ranges: joined };
}

async function sliceLines(source: ByteSource, from: number, to: number, first: number): Promise<LinesResult> {
  if (to - from > maxTextBytes) return { kind: 'too-large', bytes: to - from };
  const decoded = decodeText(await source.read(from, to - from));
  return decoded.kind === 'text' ? { kind: 'lines', first, lines: splitLines(decoded.text) } : decoded;
}

async function readSingleLine(
  source: ByteSource,
  from: number,
  to: number,
  first: number,
): Promise<LinesResult> {
  if (to - from > maxSingleLineBytes) return { kind: 'line-too-long', bytes: to - from };
  return sliceLines(source, from, to, first);
}

async function endOfLine(source: ByteSource): Promise<number> {
  let end = source.size;
  await forEachChunk(source, (bytes, position) => {
    const at = bytes.indexOf(newline);
    if (at >= 0) end = position + at + 1;
    return at < 0;
  });
  return end;
}

async function startOfLastLine(source: ByteSource): Promise<number> {
  // The last byte may be the newline that ends the last line, so it is skipped.
  for (let end = source.size - 1; end > 0; end -= maxSingleLineBytes) {
    const from = Math.max(0, end - maxSingleLineBytes);
    const at = (await source.read(from, end - from)).lastIndexOf(newline);
    if (at >= 0) return from + at + 1;
  }
  return 0;
}

function characterBudget(tokens: number): number {
  return Math.min(tokens * 4, maxTextBytes);
}

/** A UTF-16 unit takes at most three bytes in UTF-8, so lines that fit the budget are within this size. */
function maxUtf8Bytes(characters: number): number {
  return characters * 3 + 1;
}

function afterFirstLine(bytes: Buffer): number {
  const at = bytes.indexOf(newline);
  return at < 0 ? bytes.length : at + 1;
}

/** Splits a text into lines with their line endings. */
export function splitKeepingEnds(text: string): string[] {
  const parts = text.split('\n');
  const last = parts.pop() ?? '';
  const ended = parts.map((part) => `${part}\n`);
  return last === '' ? ended : [...ended, last];
}

function takeWithin(lines: string[], maxCharacters: number): string[] {
  let used = 0;
  const over = lines.findIndex((line) => (used += line.length) > maxCharacters);
  return over < 0 ? lines : lines.slice(0, over);
}

export function stripLineEnding(line: string): string {
  if (!line.endsWith('\n')) return line;
  return line.slice(0, line.endsWith('\r\n') ? -2 : -1);
}
