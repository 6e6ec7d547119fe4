import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../test/cost-ratio.ts';
import { placeEdit } from './place-edit.ts';

const text = 'one\ntwo\nthree\ntwo\nfive\n';

describe('placing an edit', () => {
  it('replaces the lines that the numbers name', () => {
    expect(placeEdit(text, '2  | two\n3  | three', '2\n3')).toEqual({
      kind: 'placed',
      text: 'one\n2\n3\ntwo\nfive\n',
      replaced: { start: 2, end: 3 },
      first: 2,
      last: 3,
      movedFrom: null,
    });
    expect(placeEdit(text, '4 | two', 'TWO')).toMatchObject({
      text: 'one\ntwo\nthree\nTWO\nfive\n',
      first: 4,
    });
  });

  it('finds lines that moved when they occur once', () => {
    expect(placeEdit(text, '1  | three', '3')).toMatchObject({ kind: 'placed', first: 3, movedFrom: 1 });
    expect(placeEdit(text, '1  | two', '2')).toEqual({ kind: 'ambiguous', places: [2, 4] });
    expect(placeEdit(text, '2  | twos', '2')).toEqual({ kind: 'missing', near: 2 });
    expect(placeEdit(text, '99 | nothing', '')).toEqual({ kind: 'missing', near: 5 });
  });

  it('takes text without numbers when it occurs once, also inside a line', () => {
    expect(placeEdit(text, 'hre', 'HRE')).toMatchObject({
      text: 'one\ntwo\ntHREe\ntwo\nfive\n',
      first: 3,
      last: 3,
    });
    expect(placeEdit(text, 'one\ntwo\n', '1\n2\n')).toMatchObject({
      text: '1\n2\nthree\ntwo\nfive\n',
      first: 1,
      last: 2,
    });
    expect(placeEdit(text, 'two', '2')).toEqual({ kind: 'ambiguous', places: [2, 4] });
    expect(placeEdit(text, 'five\n', 'FIVE\n')).toMatchObject({
      text: 'one\ntwo\nthree\ntwo\nFIVE\n',
      first: 5,
      last: 5,
    });
    expect(placeEdit(text, 'six', '6')).toMatchObject({ kind: 'missing' });
  });

  it('removes lines when nothing is to replace them', () => {
    expect(placeEdit(text, '2  | two\n3  | three', '')).toMatchObject({ text: 'one\ntwo\nfive\n' });
    expect(placeEdit(text, ' five', '')).toMatchObject({ kind: 'missing' });
  });

  it('strips numbers from the replacement only when every line has one', () => {
    expect(placeEdit(text, '1 | one', '1  | ONE\n2  | more')).toMatchObject({
      text: expect.stringMatching(/^ONE\nmore\ntwo/),
    });
    expect(placeEdit(text, '1 | one', '1  | ONE\nplain')).toMatchObject({
      text: expect.stringMatching(/^1 {2}\| ONE\nplain\ntwo/),
    });
  });

  it('keeps line ends, an empty line, a carriage return and a missing final newline', () => {
    expect(placeEdit('a\r\nb\r\nc', '2  | b', 'x\ny')).toMatchObject({ text: 'a\r\nx\r\ny\r\nc' });
    expect(placeEdit('a\r\nb\r\nc', '3  | c', 'z')).toMatchObject({ text: 'a\r\nb\r\nz' });
    expect(placeEdit('a\n\nb\n', '2  |\n3  | b', 'c')).toMatchObject({ text: 'a\nc\n' });
    expect(placeEdit('a\rb\nc\n', '1  | a␍b', 'x')).toMatchObject({ text: 'x\nc\n' });
  });

  it('changes exactly the lines it says, whatever the text', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', '|', ' ', '1', '\r', 'é'), maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.nat(11),
        fc.nat(3),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (lines, at, more, end, isEnded) => {
          const clean = lines.map((each) =>
            each.replaceAll('\r', end === '\n' ? '\r' : '').replace(/\r+$/, ''),
          );
          const [from, to] = [at % clean.length, Math.min(clean.length - 1, (at % clean.length) + more)];
          const whole = clean.join(end) + (isEnded ? end : '');
          const shown = clean
            .slice(from, to + 1)
            .map(
              (each, index) => `${from + 1 + index}  |${each === '' ? '' : ` ${each.replaceAll('\r', '␍')}`}`,
            );
          fc.pre(isEnded || clean.at(-1) !== '');
          const placed = placeEdit(whole, shown.join('\n'), 'NEW');
          expect(placed).toMatchObject({
            kind: 'placed',
            text: [...clean.slice(0, from), 'NEW', ...clean.slice(to + 1)].join(end) + (isEnded ? end : ''),
          });
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('an edit of a long text', () => {
  it('names the first places only, and looks for no more', async () => {
    const place = (lines: number) => () => placeEdit('een\n'.repeat(lines), 'e', 'x');
    expect(place(100)()).toEqual({ kind: 'ambiguous', places: expect.objectContaining({ length: 21 }) });
    expect(await costRatio(place(40_000), place(10_000))).toBeLessThan(10);
  });

  it('may insert more lines than a call has room for', () => {
    const placed = placeEdit('a\nb\n', 'a', 'x\n'.repeat(300_000));
    expect(placed).toMatchObject({ kind: 'placed', last: 300_000 });
  });
});
