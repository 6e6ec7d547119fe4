import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { mergeLines } from './merge-lines.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('lines next to a change', () => {
  it.each([
    [
      'inserted above a removed line',
      text('a', 'b', 'c'),
      text('a', 'c'),
      text('a', 'new', 'b', 'c'),
      text('a', 'new', 'c'),
    ],
    [
      'inserted below a removed line',
      text('a', 'b', 'c'),
      text('a', 'c'),
      text('a', 'b', 'new', 'c'),
      text('a', 'new', 'c'),
    ],
    [
      'inserted above a changed line',
      text('a', 'b'),
      text('a', 'B'),
      text('a', 'new', 'b'),
      text('a', 'new', 'B'),
    ],
    ['removed at both ends', text('a', 'b', 'c'), text('b', 'c'), text('a', 'b'), text('b')],
    ['all removed by both sides together', text('a', '', 'b'), text('b'), text('a'), ''],
    [
      'inserted above a line that the other side changed',
      text('a', 'b'),
      text('new', 'a', 'b'),
      text('A', 'b'),
      text('new', 'A', 'b'),
    ],
  ])('are merged: %s', (_, base, incoming, current, merged) => {
    expect(mergeLines(base, incoming, current)).toEqual({ ok: true, text: merged });
  });

  it('are kept if they are a changelog entry that was added on the same day as an undone one', () => {
    const below = text('# 07-14', '', '## One', 'x', '', '# 07-01', '', '## Old');
    const above = text('# 07-14', '', '## Two', 'y', '') + below;
    expect(mergeLines(below, text('# 07-01', '', '## Old'), above)).toEqual({
      ok: true,
      text: text('# 07-14', '', '## Two', 'y', '', '# 07-01', '', '## Old'),
    });
  });

  it('conflict when both sides changed them', () => {
    expect(mergeLines(text('a', 'b'), text('a', 'B'), text('a', 'b!'))).toMatchObject({ ok: false });
    expect(mergeLines(text('a', 'b'), text('a'), text('a', 'new', 'b!'))).toMatchObject({ ok: false });
  });
});

it('two insertions at the same place conflict, except in a changelog, which keeps both', () => {
  const [base, incoming, current] = [text('top', 'end'), text('top', 'w', 'end'), text('top', 'p', 'end')];
  expect(mergeLines(base, incoming, current)).toMatchObject({ ok: false });
  expect(mergeLines(base, incoming, current, true)).toEqual({ ok: true, text: text('top', 'w', 'p', 'end') });
});

it('a merge never loses a line that one side added', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd'), { maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, lines, fc.boolean(), (base, incoming, current, keepsBothInsertions) => {
      const marked = (side: string[], mark: string): string[] =>
        side.flatMap((line, index) => (index % 3 === 0 ? [`${mark}${index}`, line] : [line]));
      const [ours, theirs] = [marked(incoming, 'w'), marked(current, 'p')];
      const merged = mergeLines(text(...base), text(...ours), text(...theirs), keepsBothInsertions);
      if (!merged.ok) return;
      for (const line of [...ours, ...theirs].filter((each) => /^[wp]\d/.test(each)))
        expect(merged.text.split('\n')).toContain(line);
    }),
    { numRuns: 2_000 },
  );
});

it('a merge adds a line ending between an unterminated last line and lines appended by the other side', () => {
  expect(mergeLines('a\n', 'a', 'a\nb')).toEqual({ ok: true, text: 'a\nb' });
  expect(mergeLines('a\r\n', 'a', 'a\r\nb\r\n')).toEqual({ ok: true, text: 'a\r\nb\r\n' });
});

describe('long texts with many changes on both sides', () => {
  it('cause a conflict that is marked as approximate', () => {
    const [base = '', incoming = '', current = ''] = [7_919, 5_077, 3_571].map((step) =>
      text(...Array.from({ length: 9_000 }, (_, index) => `line ${(index * step) % 9_001}`)),
    );
    expect(mergeLines(base, incoming, current)).toMatchObject({ ok: false, isApproximate: true });
    expect(mergeLines(text('a'), text('b'), text('c'))).toMatchObject({ ok: false, isApproximate: false });
  });

  it('are merged in linear time', async () => {
    const merge = (count: number) => {
      const [base, incoming] = [
        text(...Array.from({ length: count }, () => 'x')),
        text(...Array.from({ length: count * 2 }, (_, index) => (index % 2 === 0 ? 'x' : 'y'))),
      ];
      const current = text('first', ...Array.from({ length: count }, () => 'z'));
      return () => mergeLines(base, incoming, current);
    };
    expect(await costRatio(merge(20_000), merge(5_000))).toBeLessThan(10);
  });
});
