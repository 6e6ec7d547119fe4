import type { ByteSource } from './byte-source.ts';
import { eachChunk } from './byte-source.ts';
import { decodeText, largestText } from './text.ts';
import type { NotText } from './text.ts';

/** Consecutive lines of a file, without their line ends; `first` is the number of the first one in the file. */
type Lines = { kind: 'lines'; first: number; lines: string[] };

export type LinesOutcome = Lines | NotText | { kind: 'line-too-long'; bytes: number } | TooLarge;
type TooLarge = { kind: 'too-large'; bytes: number };

/** A line that alone is over the budget is still given, up to this many bytes. */
const longestLoneLine = 64_000;
const newline = 10;

/**
 * The lines of a text. Only `\n` ends a line, a `\r` right before it belongs to the end, and a final newline
 * starts no further line.
 */
export function splitLines(text: string): string[] {
  return pieces(text).map(withoutEnd);
}

export async function wholeLines(source: ByteSource): Promise<LinesOutcome> {
  return sliceLines(source, 0, source.size, 1);
}

/** Whole lines from the start whose text, line ends included, fits in `tokens` (4 characters each). */
export async function headLines(source: ByteSource, tokens: number): Promise<LinesOutcome> {
  const room = roomFor(tokens);
  const bytes = await source.read(0, mostBytes(room));
  const decoded = decodeText(
    bytes.length < source.size ? bytes.subarray(0, bytes.lastIndexOf(newline) + 1) : bytes,
  );
  if (decoded.kind === 'not-text') return decoded;
  const fitting = takeFitting(pieces(decoded.text), room);
  if (fitting.length > 0 || source.size === 0)
    return { kind: 'lines', first: 1, lines: fitting.map(withoutEnd) };
  return loneLine(source, 0, await endOfLine(source), 1);
}

/** The same from the end; `totalLines` gives the lines their numbers. */
export async function tailLines(
  source: ByteSource,
  tokens: number,
  totalLines: number,
): Promise<LinesOutcome> {
  const room = roomFor(tokens);
  const from = Math.max(0, source.size - mostBytes(room));
  const bytes = await source.read(from, source.size - from);
  // What comes before the first line end belongs to a line that began earlier.
  const decoded = decodeText(from === 0 ? bytes : bytes.subarray(afterFirstLine(bytes)));
  if (decoded.kind === 'not-text') return decoded;
  const fitting = takeFitting(pieces(decoded.text).toReversed(), room).toReversed();
  if (fitting.length > 0 || source.size === 0) {
    return { kind: 'lines', first: totalLines - fitting.length + 1, lines: fitting.map(withoutEnd) };
  }
  return loneLine(source, await startOfLastLine(source), source.size, totalLines);
}

/** Lines `start` to `end`, as many of them as there are. */
export async function rangeLines(source: ByteSource, start: number, end: number): Promise<LinesOutcome> {
  let line = 1;
  let from = start === 1 ? 0 : source.size;
  let to = source.size;
  await eachChunk(source, (bytes, position) => {
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

/** `end` is `Infinity` for a range that goes to the end of the file. */
export type LineRange = { start: number; end: number };

/** `"9-14"`, `"9-"` to the end, `"9"` for one line: numbers from 1 on, the second not before the first. */
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

async function sliceLines(
  source: ByteSource,
  from: number,
  to: number,
  first: number,
): Promise<LinesOutcome> {
  if (to - from > largestText) return { kind: 'too-large', bytes: to - from };
  const decoded = decodeText(await source.read(from, to - from));
  return decoded.kind === 'text' ? { kind: 'lines', first, lines: splitLines(decoded.text) } : decoded;
}

async function loneLine(source: ByteSource, from: number, to: number, first: number): Promise<LinesOutcome> {
  if (to - from > longestLoneLine) return { kind: 'line-too-long', bytes: to - from };
  return sliceLines(source, from, to, first);
}

async function endOfLine(source: ByteSource): Promise<number> {
  let end = source.size;
  await eachChunk(source, (bytes, position) => {
    const at = bytes.indexOf(newline);
    if (at >= 0) end = position + at + 1;
    return at < 0;
  });
  return end;
}

async function startOfLastLine(source: ByteSource): Promise<number> {
  // The file's last byte may be the newline that ends the last line, so it is not looked at.
  for (let end = source.size - 1; end > 0; end -= longestLoneLine) {
    const from = Math.max(0, end - longestLoneLine);
    const at = (await source.read(from, end - from)).lastIndexOf(newline);
    if (at >= 0) return from + at + 1;
  }
  return 0;
}

function roomFor(tokens: number): number {
  return Math.min(tokens * 4, largestText);
}

/** No UTF-16 unit takes more than three bytes of UTF-8, so lines that fit the room lie within this. */
function mostBytes(room: number): number {
  return room * 3 + 1;
}

function afterFirstLine(bytes: Buffer): number {
  const at = bytes.indexOf(newline);
  return at < 0 ? bytes.length : at + 1;
}

/** The lines with their ends. */
function pieces(text: string): string[] {
  const parts = text.split('\n');
  const last = parts.pop() ?? '';
  const ended = parts.map((part) => `${part}\n`);
  return last === '' ? ended : [...ended, last];
}

function takeFitting(lines: string[], room: number): string[] {
  let used = 0;
  const over = lines.findIndex((line) => (used += line.length) > room);
  return over < 0 ? lines : lines.slice(0, over);
}

function withoutEnd(line: string): string {
  if (!line.endsWith('\n')) return line;
  return line.slice(0, line.endsWith('\r\n') ? -2 : -1);
}
