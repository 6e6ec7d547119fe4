import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
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
      isUnnumbered: false,
    });
    expect(placeEdit(text, '4 | two', 'TWO')).toMatchObject({
      text: 'one\ntwo\nthree\nTWO\nfive\n',
      first: 4,
    });
  });

  it('finds lines that moved when they occur once', () => {
    expect(placeEdit(text, '1  | three', '3')).toMatchObject({ kind: 'placed', first: 3, movedFrom: 1 });
    expect(placeEdit(text, '1  | two', '2')).toEqual({ kind: 'ambiguous', places: [2, 4] });
    expect(placeEdit(text, '2  | twos', '2')).toEqual({ kind: 'missing', near: { start: 2, end: 2 } });
    expect(placeEdit(text, '99 | nothing', '')).toEqual({ kind: 'missing', near: { start: 99, end: 99 } });
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

  it('strips the numbers of the lines that are replaced from the replacement, and says so', () => {
    expect(placeEdit(text, '1 | one\n2 | two', '1  | ONE\n2  | TWO')).toMatchObject({
      text: 'ONE\nTWO\nthree\ntwo\nfive\n',
      isUnnumbered: true,
    });
    // A line that is left out, and one that becomes empty.
    expect(placeEdit(text, '1 | one\n2 | two\n3 | three', '1 | ONE\n3 | THREE')).toMatchObject({
      text: 'ONE\nTHREE\ntwo\nfive\n',
    });
    expect(placeEdit(text, '2 | two', '2  |')).toMatchObject({ text: 'one\n\nthree\ntwo\nfive\n' });
  });

  it.each([
    ['a table of years', '2  | two', '2024 | revenue\n2025 | margin'],
    ['one year', '2  | two', '2025 | z'],
    ['numbers below those of the lines', '3  | three', '1 | a\n2 | b'],
    ['numbers of other lines', '2  | two', '3 | c'],
    ['the numbers of the lines in another order', '1 | one\n2 | two', '2 | b\n1 | a'],
    ['a number before some of the lines', '1 | one', '1  | ONE\nplain'],
    ['the number of a line that old does not name', 'three', '3  | c'],
  ])('keeps %s in the replacement as text', (_, old, replacement) => {
    expect(placeEdit(text, old, replacement)).toMatchObject({
      kind: 'placed',
      text: expect.stringContaining(replacement),
      isUnnumbered: false,
    });
  });

  it('does not guess whether numbers that go on after the replaced lines are text', () => {
    expect(placeEdit(text, '1 | one', '1  | ONE\n2  | more')).toEqual({ kind: 'numbered-replacement' });
    expect(placeEdit(text, 'one', '1  | ONE\n2  | more')).toMatchObject({
      text: expect.stringMatching(/^1 {2}\| ONE\n2 {2}\| more\ntwo/),
    });
  });

  it('takes what looks like a number of a line for text where only that is there', () => {
    const table = 'Year | what\n2025 | y\ny\n';
    expect(placeEdit('Year | what\n2025 | y\nend\n', '2025 | y', '2025 | z')).toMatchObject({
      text: 'Year | what\n2025 | z\nend\n',
    });
    // The line `y` has not moved here from line 2025.
    expect(placeEdit(table, '2025 | y', '2025 | z')).toEqual({ kind: 'ambiguous', places: [2, 3] });
    expect(placeEdit(table, '2  | 2025 | y', '2025 | z')).toMatchObject({
      text: 'Year | what\n2025 | z\ny\n',
    });
  });

  it('names the lines of old that are out of order', () => {
    expect(placeEdit(text, '3  | three\n2  | two', 'x')).toEqual({
      kind: 'missing',
      near: { start: 2, end: 3 },
    });
    expect(placeEdit(text, 'three\ntwo\none', 'x')).toEqual({ kind: 'missing', near: null });
  });

  it('finds what is shown, whichever way its accents are encoded, and leaves the rest as it is', () => {
    const decomposed = 'Le cafe\u0301 est pre\u0302t.\nfin re\u0301elle\n';
    expect(placeEdit(decomposed, '1  | Le caf\u00e9 est pr\u00eat.', 'Th\u00e9')).toMatchObject({
      text: 'Th\u00e9\nfin re\u0301elle\n',
    });
    expect(placeEdit(decomposed, 'caf\u00e9', 'th\u00e9')).toMatchObject({
      text: 'Le th\u00e9 est pre\u0302t.\nfin re\u0301elle\n',
    });
    expect(placeEdit('caf\u00e9\n', 'cafe\u0301', 'the')).toMatchObject({ text: 'the\n' });
    expect(placeEdit('\u1112\u1161\u11ab\u1100\u1173\u11af!\n', '\ud55c', 'x')).toMatchObject({
      text: 'x\u1100\u1173\u11af!\n',
    });
    // Its accent would fall on the new word.
    expect(placeEdit(decomposed, 'cafe', 'the')).toMatchObject({ kind: 'missing' });
    expect(placeEdit('x\u0323y\n', 'x', 'z')).toMatchObject({ kind: 'missing' });
  });

  it('keeps the byte order mark of a file, which is no part of its first line', () => {
    expect(placeEdit('\ufeff# A\nb\n', '1  | # A', '# B')).toMatchObject({ text: '\ufeff# B\nb\n' });
    expect(placeEdit('\ufeff# A\nb\n', '1  | \ufeff# A', '\ufeff# B')).toMatchObject({
      text: '\ufeff# B\nb\n',
    });
    expect(placeEdit('\ufeff# A\nb\n', '1  | # A', '')).toMatchObject({ text: '\ufeffb\n' });
    expect(placeEdit('\ufeff# A\nb\n', '\ufeff# A', '# B')).toMatchObject({ text: '\ufeff# B\nb\n' });
    expect(placeEdit('a\ufeffb\n', '\ufeffb', 'c')).toMatchObject({ text: 'ac\n' });
    expect(placeEdit('\ufeff', '1  |', 'a')).toMatchObject({ text: '\ufeffa' });
    expect(placeEdit('a\n\ufeffb\n', '2  | b', 'c')).toMatchObject({ text: 'a\nc\n' });
  });

  it('keeps a newline that ends the replacement of a part of a line', () => {
    expect(placeEdit(text, 'thr', 'THR\n')).toMatchObject({ text: 'one\ntwo\nTHR\nee\ntwo\nfive\n' });
    expect(placeEdit(text, 'hree', 'HREE\n')).toMatchObject({ text: 'one\ntwo\ntHREE\ntwo\nfive\n' });
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
