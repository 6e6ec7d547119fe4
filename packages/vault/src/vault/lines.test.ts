import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { createBufferSource } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import {
  readHeadLines,
  parseLineRange,
  parseLineRanges,
  readLineRange,
  splitLines,
  readTailLines,
  readAllLines,
} from './lines.ts';
import type { LinesResult } from './lines.ts';
import { computeTextStats, computeTextStatsOf, countLines } from './text-stats.ts';

const sourceOf = (text: string): ByteSource => createBufferSource(Buffer.from(text));

/** Text with all kinds of line endings, wide characters and long lines. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('', 'é'.repeat(30), '👍🏽', 'x'.repeat(200), '\r', '# t', '---'),
    ),
    { maxLength: 30 },
  )
  .chain((lines) =>
    fc
      .tuple(fc.constantFrom('\n', '\r\n', '\n\n'), fc.boolean())
      .map(([end, isEnded]) => lines.join(end) + (isEnded ? end : '')),
  )
  .map((text) => text.replaceAll('\0', '').toWellFormed());

function linesOf(outcome: LinesResult): { first: number; lines: string[] } {
  return outcome.kind === 'lines' ? outcome : expect.unreachable(outcome.kind);
}

describe('line parsing', () => {
  it.each([
    ['', []],
    ['\n', ['']],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\rb\r\r\nc\r', ['a\rb\r', 'c\r']],
    ['\u2028x\u0085', ['\u2028x\u0085']],
  ])('splits %j into %j', (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });

  it.each([
    ['9-14', { start: 9, end: 14 }],
    [' 9 - 9 ', { start: 9, end: 9 }],
    ['9', { start: 9, end: 9 }],
    ['9-', { start: 9, end: Infinity }],
  ])('parses the range %j', (text, range) => {
    expect(parseLineRange(text)).toEqual({ ok: true, range });
  });

  it.each([
    'abc-def',
    '-9',
    '0',
    '0-',
    '9-3',
    '0-3',
    '1-2-3',
    '1,2',
    'NaN-1',
    '1e3-2e3',
    '',
    '9999999999999999-1',
    '-5--1',
  ])('rejects the range %j and shows the expected form', (text) => {
    const parsed = parseLineRange(text);
    expect(parsed.ok ? '' : parsed.reason).toMatch(/"\d+(?:-\d*)?"/);
  });

  it('parses several ranges, sorted and joined where they overlap or touch', () => {
    const ranges = [
      { start: 1, end: 2 },
      { start: 9, end: 14 },
      { start: 18, end: 18 },
    ];
    expect(parseLineRanges('18, 9-12, 11-14,1,2,')).toEqual({ ok: true, ranges });
    expect(parseLineRanges('9-,20')).toEqual({ ok: true, ranges: [{ start: 9, end: Infinity }] });
  });

  it('names the part that is not a range', () => {
    expect(parseLineRanges('1-2,x,9')).toMatchObject({ ok: false, input: 'x' });
    expect(parseLineRanges(',')).toMatchObject({ ok: false, input: ',' });
  });

  it('clips a range to the end of the file', async () => {
    const source = sourceOf('a\nb\nc\n');
    expect(linesOf(await readLineRange(source, 2, 2))).toMatchObject({ first: 2, lines: ['b'] });
    expect(linesOf(await readLineRange(source, 2, 99))).toMatchObject({ first: 2, lines: ['b', 'c'] });
    expect(linesOf(await readLineRange(source, 9, 99))).toMatchObject({ lines: [] });
  });
});

describe('property: reading within a token budget', () => {
  const budget = fc.integer({ min: 1, max: 120 });

  it('from the start returns whole lines within the budget, or a single line, with correct numbers', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, budget, async (text, tokens) => {
        const whole = splitLines(text);
        const { first, lines } = linesOf(await readHeadLines(sourceOf(text), tokens));
        expect(first).toBe(1);
        expect(lines).toEqual(whole.slice(0, lines.length));
        expect(isWithin(text, 0, lines.length, tokens, 'start')).toBe(true);
        if (whole.length > 0) expect(lines.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('from the end returns whole lines within the budget, or a single line, with correct numbers', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, budget, async (text, tokens) => {
        const whole = splitLines(text);
        const { first, lines } = linesOf(await readTailLines(sourceOf(text), tokens, whole.length));
        expect(lines).toEqual(whole.slice(whole.length - lines.length));
        expect(first).toBe(whole.length - lines.length + 1);
        expect(isWithin(text, whole.length - lines.length, whole.length, tokens, 'end')).toBe(true);
        if (whole.length > 0) expect(lines.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('returns as many lines as fit', async () => {
    const text = `${'x'.repeat(9)}\n`.repeat(100);
    expect(linesOf(await readHeadLines(sourceOf(text), 10)).lines).toHaveLength(4);
    expect(linesOf(await readTailLines(sourceOf(text), 10, 100))).toMatchObject({
      first: 97,
      lines: { length: 4 },
    });
  });

  it('returns a first line over the budget unless it exceeds 64 kB', async () => {
    const long = `${'y'.repeat(60_000)}\nshort\n`;
    expect(linesOf(await readHeadLines(sourceOf(long), 1)).lines).toHaveLength(1);
    expect(linesOf(await readTailLines(sourceOf(`short\n${'y'.repeat(60_000)}\n`), 1, 2))).toMatchObject({
      first: 2,
      lines: { length: 1 },
    });
    const tooLong = `${'y'.repeat(300_000)}\n`;
    expect(await readHeadLines(sourceOf(`${tooLong}short\n`), 1)).toEqual({
      kind: 'line-too-long',
      bytes: 300_001,
    });
    expect(await readTailLines(sourceOf(`short\n${tooLong}`), 1, 2)).toEqual({
      kind: 'line-too-long',
      bytes: 300_001,
    });
  });

  /** Whether lines `from` to `to` fit the budget, or are one line, and one more line would not fit. */
  function isWithin(text: string, from: number, to: number, tokens: number, side: 'start' | 'end'): boolean {
    const pieces = text.split(/(?<=\n)/).filter((piece) => piece !== '');
    const length = (a: number, b: number): number => pieces.slice(a, b).join('').length;
    const fits = length(from, to) <= tokens * 4 || to - from === 1;
    const more = side === 'start' ? length(from, to + 1) : length(Math.max(0, from - 1), to);
    return fits && (to - from === pieces.length || more > tokens * 4);
  }
});

describe('text stats', () => {
  it('are the same for a text that is read in pieces and for the whole text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 7 }), async (text, step) => {
        const bytes = Buffer.from(text);
        // A source that returns a few bytes at a time splits characters and line endings anywhere.
        const slow: ByteSource = {
          size: bytes.length,
          read: async (position, length) => bytes.subarray(position, position + Math.min(step, length)),
        };
        const measured = await computeTextStatsOf(slow);
        expect(measured).toEqual(computeTextStats(bytes));
        expect(measured?.lines).toBe(splitLines(text).length);
        expect(countLines(bytes)).toBe(splitLines(text).length);
      }),
      { numRuns: 1000 },
    );
  });

  it('contain title and date', () => {
    expect(
      computeTextStats(Buffer.from('---\nupdated: 2025-07-14\n---\n```\n# no\n```\n# Yes\n')),
    ).toMatchObject({ title: 'Yes', updated: '2025-07-14T00:00:00', lines: 7 });
    expect(computeTextStats(Buffer.from('---\ntitle: "A: b"\n---\n# No\n'))).toMatchObject({ title: 'A: b' });
    expect(computeTextStats(Buffer.from('text\n'))).toMatchObject({ title: null, updated: null, tokens: 2 });
  });

  it.each([['\0'], [Buffer.from([0xff, 0xfe, 0x41, 0x00])], [Buffer.from([0xe9, 0x20])]])(
    'are null for data that is not UTF-8 text: %j',
    (content) => {
      expect(computeTextStats(Buffer.from(content))).toBeNull();
    },
  );

  it('are not computed for binary data, and every reader reports its type', async () => {
    const binary = createBufferSource(Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'));
    for (const outcome of [
      await readAllLines(binary),
      await readHeadLines(binary, 9),
      await readTailLines(binary, 9, 1),
      await readLineRange(binary, 1, 9),
    ]) {
      expect(outcome).toEqual({ kind: 'not-text', description: 'a PNG image' });
    }
  });
});

it('parseLineRange handles a range with many spaces in linear time', async () => {
  const read = (blanks: number) => () => parseLineRange(`1-${' '.repeat(blanks)}x`);
  expect(await costRatio(read(20_000), read(5_000))).toBeLessThan(10);
});
