import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { mergeLines } from './merge.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('lines beside a change', () => {
  it.each([
    [
      'above what is taken away',
      text('a', 'b', 'c'),
      text('a', 'c'),
      text('a', 'new', 'b', 'c'),
      text('a', 'new', 'c'),
    ],
    ['below it', text('a', 'b', 'c'), text('a', 'c'), text('a', 'b', 'new', 'c'), text('a', 'new', 'c')],
    ['above what is changed', text('a', 'b'), text('a', 'B'), text('a', 'new', 'b'), text('a', 'new', 'B')],
    ['that were taken away', text('a', 'b', 'c'), text('b', 'c'), text('a', 'b'), text('b')],
    ['of which nothing is left', text('a', '', 'b'), text('b'), text('a'), ''],
    [
      'wanted beside what somebody changed',
      text('a', 'b'),
      text('new', 'a', 'b'),
      text('A', 'b'),
      text('new', 'A', 'b'),
    ],
  ])('are kept: %s', (_, base, wanted, present, merged) => {
    expect(mergeLines(base, wanted, present)).toEqual({ ok: true, text: merged });
  });

  it('of an entry under another with the same day are kept when it is undone', () => {
    const below = text('# 07-14', '', '## One', 'x', '', '# 07-01', '', '## Old');
    const above = text('# 07-14', '', '## Two', 'y', '') + below;
    expect(mergeLines(below, text('# 07-01', '', '## Old'), above)).toEqual({
      ok: true,
      text: text('# 07-14', '', '## Two', 'y', '', '# 07-01', '', '## Old'),
    });
  });

  it('that both sides changed are a conflict', () => {
    expect(mergeLines(text('a', 'b'), text('a', 'B'), text('a', 'b!'))).toMatchObject({ ok: false });
    expect(mergeLines(text('a', 'b'), text('a'), text('a', 'new', 'b!'))).toMatchObject({ ok: false });
  });
});

it('two insertions at one place are a conflict, but in a changelog, which grows at its top, both are kept', () => {
  const [base, wanted, present] = [text('top', 'end'), text('top', 'w', 'end'), text('top', 'p', 'end')];
  expect(mergeLines(base, wanted, present)).toMatchObject({ ok: false });
  expect(mergeLines(base, wanted, present, true)).toEqual({ ok: true, text: text('top', 'w', 'p', 'end') });
});

it('no line that one side added is lost, whatever is merged', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd'), { maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, lines, fc.boolean(), (base, wanted, present, stacks) => {
      const marked = (side: string[], mark: string): string[] =>
        side.flatMap((line, index) => (index % 3 === 0 ? [`${mark}${index}`, line] : [line]));
      const [ours, theirs] = [marked(wanted, 'w'), marked(present, 'p')];
      const merged = mergeLines(text(...base), text(...ours), text(...theirs), stacks);
      if (!merged.ok) return;
      for (const line of [...ours, ...theirs].filter((each) => /^[wp]\d/.test(each)))
        expect(merged.text.split('\n')).toContain(line);
    }),
    { numRuns: 2_000 },
  );
});

it('a last line without an end does not run into what the other side has added below it', () => {
  expect(mergeLines('a\n', 'a', 'a\nb')).toEqual({ ok: true, text: 'a\nb' });
  expect(mergeLines('a\r\n', 'a', 'a\r\nb\r\n')).toEqual({ ok: true, text: 'a\r\nb\r\n' });
});

describe('long texts of which both sides changed much', () => {
  it('are a conflict that says it cannot be told exactly', () => {
    const [base = '', wanted = '', present = ''] = [7_919, 5_077, 3_571].map((step) =>
      text(...Array.from({ length: 9_000 }, (_, index) => `line ${(index * step) % 9_001}`)),
    );
    expect(mergeLines(base, wanted, present)).toMatchObject({ ok: false, isRough: true });
    expect(mergeLines(text('a'), text('b'), text('c'))).toMatchObject({ ok: false, isRough: false });
  });

  it('take four times as long when they are four times as long', async () => {
    const merge = (count: number) => {
      const [base, wanted] = [
        text(...Array.from({ length: count }, () => 'x')),
        text(...Array.from({ length: count * 2 }, (_, index) => (index % 2 === 0 ? 'x' : 'y'))),
      ];
      const present = text('first', ...Array.from({ length: count }, () => 'z'));
      return () => mergeLines(base, wanted, present);
    };
    expect(await costRatio(merge(20_000), merge(5_000))).toBeLessThan(10);
  });
});
