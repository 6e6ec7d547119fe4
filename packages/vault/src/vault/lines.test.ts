import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { bytesSource } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import { headLines, parseLineRange, rangeLines, splitLines, tailLines, wholeLines } from './lines.ts';
import type { LinesOutcome } from './lines.ts';
import { measureBytes, measureSource } from './measure.ts';

const sourceOf = (text: string): ByteSource => bytesSource(Buffer.from(text));

/** Text with every kind of line end, wide characters and long lines. */
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

function linesOf(outcome: LinesOutcome): { first: number; lines: string[] } {
  return outcome.kind === 'lines' ? outcome : expect.unreachable(outcome.kind);
}

describe('lines', () => {
  it.each([
    ['', []],
    ['\n', ['']],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\rb\r\r\nc\r', ['a\rb\r', 'c\r']],
    ['\u2028x\u0085', ['\u2028x\u0085']],
  ])('of %j are %j', (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });

  it.each([
    ['9-14', { start: 9, end: 14 }],
    [' 9 - 9 ', { start: 9, end: 9 }],
    ['9', { start: 9, end: 9 }],
    ['9-', { start: 9, end: Infinity }],
  ])('the range %j is read', (text, range) => {
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
  ])('the range %j is refused with the form to use', (text) => {
    const parsed = parseLineRange(text);
    expect(parsed.ok ? '' : parsed.reason).toMatch(/"\d+(?:-\d*)?"/);
  });

  it('of a range are those of the whole file, as many as there are', async () => {
    const source = sourceOf('a\nb\nc\n');
    expect(linesOf(await rangeLines(source, 2, 2))).toMatchObject({ first: 2, lines: ['b'] });
    expect(linesOf(await rangeLines(source, 2, 99))).toMatchObject({ first: 2, lines: ['b', 'c'] });
    expect(linesOf(await rangeLines(source, 9, 99))).toMatchObject({ lines: [] });
  });
});

describe('property: a budget of tokens', () => {
  const budget = fc.integer({ min: 1, max: 120 });

  it('from the start never cuts a line, never exceeds the budget but for a single line, keeps the numbers', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, budget, async (text, tokens) => {
        const whole = splitLines(text);
        const { first, lines } = linesOf(await headLines(sourceOf(text), tokens));
        expect(first).toBe(1);
        expect(lines).toEqual(whole.slice(0, lines.length));
        expect(isWithin(text, 0, lines.length, tokens, 'start')).toBe(true);
        if (whole.length > 0) expect(lines.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('from the end never cuts a line, never exceeds the budget but for a single line, keeps the numbers', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, budget, async (text, tokens) => {
        const whole = splitLines(text);
        const { first, lines } = linesOf(await tailLines(sourceOf(text), tokens, whole.length));
        expect(lines).toEqual(whole.slice(whole.length - lines.length));
        expect(first).toBe(whole.length - lines.length + 1);
        expect(isWithin(text, whole.length - lines.length, whole.length, tokens, 'end')).toBe(true);
        if (whole.length > 0) expect(lines.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes as many lines as fit', async () => {
    const text = `${'x'.repeat(9)}\n`.repeat(100);
    expect(linesOf(await headLines(sourceOf(text), 10)).lines).toHaveLength(4);
    expect(linesOf(await tailLines(sourceOf(text), 10, 100))).toMatchObject({
      first: 97,
      lines: { length: 4 },
    });
  });

  it('gives a first line that is over it, but not one over 64 kB', async () => {
    const long = `${'y'.repeat(60_000)}\nshort\n`;
    expect(linesOf(await headLines(sourceOf(long), 1)).lines).toHaveLength(1);
    expect(linesOf(await tailLines(sourceOf(`short\n${'y'.repeat(60_000)}\n`), 1, 2))).toMatchObject({
      first: 2,
      lines: { length: 1 },
    });
    const tooLong = `${'y'.repeat(300_000)}\n`;
    expect(await headLines(sourceOf(`${tooLong}short\n`), 1)).toEqual({
      kind: 'line-too-long',
      bytes: 300_001,
    });
    expect(await tailLines(sourceOf(`short\n${tooLong}`), 1, 2)).toEqual({
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

describe('measuring', () => {
  it('piece by piece gives what measuring at once gives', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 7 }), async (text, step) => {
        const bytes = Buffer.from(text);
        // A source that gives a few bytes at a time cuts characters and line ends anywhere.
        const slow: ByteSource = {
          size: bytes.length,
          read: async (position, length) => bytes.subarray(position, position + Math.min(step, length)),
        };
        const measured = await measureSource(slow);
        expect(measured).toEqual(measureBytes(bytes));
        expect(measured?.lines).toBe(splitLines(text).length);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds title and date', () => {
    expect(measureBytes(Buffer.from('---\nupdated: 2025-07-14\n---\n```\n# no\n```\n# Yes\n'))).toMatchObject(
      { title: 'Yes', updated: '2025-07-14T00:00:00', lines: 7 },
    );
    expect(measureBytes(Buffer.from('---\ntitle: "A: b"\n---\n# No\n'))).toMatchObject({ title: 'A: b' });
    expect(measureBytes(Buffer.from('text\n'))).toMatchObject({ title: null, updated: null, tokens: 2 });
  });

  it.each([['\0'], [Buffer.from([0xff, 0xfe, 0x41, 0x00])], [Buffer.from([0xe9, 0x20])]])(
    'refuses what is not UTF-8 text: %j',
    (content) => {
      expect(measureBytes(Buffer.from(content))).toBeNull();
    },
  );

  it('refuses what is not text in every way of reading, and says what it is', async () => {
    const binary = bytesSource(Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'));
    for (const outcome of [
      await wholeLines(binary),
      await headLines(binary, 9),
      await tailLines(binary, 9, 1),
      await rangeLines(binary, 1, 9),
    ]) {
      expect(outcome).toEqual({ kind: 'not-text', what: 'a PNG image' });
    }
  });
});

it('a range with blanks in it is read in time that grows with their number', async () => {
  const read = (blanks: number) => () => parseLineRange(`1-${' '.repeat(blanks)}x`);
  expect(await costRatio(read(20_000), read(5_000))).toBeLessThan(10);
});
