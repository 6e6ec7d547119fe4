import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { applyEdit } from './apply-edit.ts';

const text = 'one\ntwo\nthree\ntwo\nfive\n';

describe('applyEdit', () => {
  it('replaces the numbered lines', () => {
    expect(applyEdit(text, '2  | two\n3  | three', '2\n3')).toEqual({
      kind: 'applied',
      text: 'one\n2\n3\ntwo\nfive\n',
      replaced: { start: 2, end: 3 },
      first: 2,
      last: 3,
      movedFrom: null,
      isUnnumbered: false,
    });
    expect(applyEdit(text, '4 | two', 'TWO')).toMatchObject({
      text: 'one\ntwo\nthree\nTWO\nfive\n',
      first: 4,
    });
  });

  it('finds moved lines that occur once', () => {
    expect(applyEdit(text, '1  | three', '3')).toMatchObject({ kind: 'applied', first: 3, movedFrom: 1 });
    expect(applyEdit(text, '1  | two', '2')).toEqual({ kind: 'ambiguous', places: [2, 4] });
    expect(applyEdit(text, '2  | twos', '2')).toEqual({ kind: 'missing', near: { start: 2, end: 2 } });
    expect(applyEdit(text, '99 | nothing', '')).toEqual({ kind: 'missing', near: { start: 99, end: 99 } });
  });

  it('accepts text without line numbers if it occurs once, even within a line', () => {
    expect(applyEdit(text, 'hre', 'HRE')).toMatchObject({
      text: 'one\ntwo\ntHREe\ntwo\nfive\n',
      first: 3,
      last: 3,
    });
    expect(applyEdit(text, 'one\ntwo\n', '1\n2\n')).toMatchObject({
      text: '1\n2\nthree\ntwo\nfive\n',
      first: 1,
      last: 2,
    });
    expect(applyEdit(text, 'two', '2')).toEqual({ kind: 'ambiguous', places: [2, 4] });
    expect(applyEdit(text, 'five\n', 'FIVE\n')).toMatchObject({
      text: 'one\ntwo\nthree\ntwo\nFIVE\n',
      first: 5,
      last: 5,
    });
    expect(applyEdit(text, 'six', '6')).toMatchObject({ kind: 'missing' });
  });

  it('deletes lines when the replacement is empty', () => {
    expect(applyEdit(text, '2  | two\n3  | three', '')).toMatchObject({ text: 'one\ntwo\nfive\n' });
    expect(applyEdit(text, ' five', '')).toMatchObject({ kind: 'missing' });
  });

  it('strips the line numbers of replaced lines from the replacement, and reports that it did', () => {
    expect(applyEdit(text, '1 | one\n2 | two', '1  | ONE\n2  | TWO')).toMatchObject({
      text: 'ONE\nTWO\nthree\ntwo\nfive\n',
      isUnnumbered: true,
    });
    // One line is omitted and one becomes empty.
    expect(applyEdit(text, '1 | one\n2 | two\n3 | three', '1 | ONE\n3 | THREE')).toMatchObject({
      text: 'ONE\nTHREE\ntwo\nfive\n',
    });
    expect(applyEdit(text, '2 | two', '2  |')).toMatchObject({ text: 'one\n\nthree\ntwo\nfive\n' });
  });

  it.each([
    ['a table of years', '2  | two', '2024 | revenue\n2025 | margin'],
    ['one year', '2  | two', '2025 | z'],
    ['numbers lower than those of the lines', '3  | three', '1 | a\n2 | b'],
    ['numbers of other lines', '2  | two', '3 | c'],
    ['the numbers of the lines in another order', '1 | one\n2 | two', '2 | b\n1 | a'],
    ['a number before some of the lines', '1 | one', '1  | ONE\nplain'],
    ['the number of a line outside of old', 'three', '3  | c'],
  ])('keeps %s in the replacement as text', (_, old, replacement) => {
    expect(applyEdit(text, old, replacement)).toMatchObject({
      kind: 'applied',
      text: expect.stringContaining(replacement),
      isUnnumbered: false,
    });
  });

  it('rejects a replacement whose numbers continue after the replaced lines', () => {
    expect(applyEdit(text, '1 | one', '1  | ONE\n2  | more')).toEqual({ kind: 'numbered-replacement' });
    expect(applyEdit(text, 'one', '1  | ONE\n2  | more')).toMatchObject({
      text: expect.stringMatching(/^1 {2}\| ONE\n2 {2}\| more\ntwo/),
    });
  });

  it('treats an apparent line number as text if the file contains it', () => {
    const table = 'Year | what\n2025 | y\ny\n';
    expect(applyEdit('Year | what\n2025 | y\nend\n', '2025 | y', '2025 | z')).toMatchObject({
      text: 'Year | what\n2025 | z\nend\n',
    });
    // The line `y` did not move here from line 2025.
    expect(applyEdit(table, '2025 | y', '2025 | z')).toEqual({ kind: 'ambiguous', places: [2, 3] });
    expect(applyEdit(table, '2  | 2025 | y', '2025 | z')).toMatchObject({
      text: 'Year | what\n2025 | z\ny\n',
    });
  });

  it('reports the range of numbered lines that are out of order', () => {
    expect(applyEdit(text, '3  | three\n2  | two', 'x')).toEqual({
      kind: 'missing',
      near: { start: 2, end: 3 },
    });
    expect(applyEdit(text, 'three\ntwo\none', 'x')).toEqual({ kind: 'missing', near: null });
  });

  it('matches accents in any Unicode form and leaves the rest unchanged', () => {
    const decomposed = 'Le cafe\u0301 est pre\u0302t.\nfin re\u0301elle\n';
    expect(applyEdit(decomposed, '1  | Le caf\u00e9 est pr\u00eat.', 'Th\u00e9')).toMatchObject({
      text: 'Th\u00e9\nfin re\u0301elle\n',
    });
    expect(applyEdit(decomposed, 'caf\u00e9', 'th\u00e9')).toMatchObject({
      text: 'Le th\u00e9 est pre\u0302t.\nfin re\u0301elle\n',
    });
    expect(applyEdit('caf\u00e9\n', 'cafe\u0301', 'the')).toMatchObject({ text: 'the\n' });
    expect(applyEdit('\u1112\u1161\u11ab\u1100\u1173\u11af!\n', '\ud55c', 'x')).toMatchObject({
      text: 'x\u1100\u1173\u11af!\n',
    });
    // The accent would combine with the replacement.
    expect(applyEdit(decomposed, 'cafe', 'the')).toMatchObject({ kind: 'missing' });
    expect(applyEdit('x\u0323y\n', 'x', 'z')).toMatchObject({ kind: 'missing' });
  });

  it('keeps the byte order mark, which is not part of the first line', () => {
    expect(applyEdit('\ufeff# A\nb\n', '1  | # A', '# B')).toMatchObject({ text: '\ufeff# B\nb\n' });
    expect(applyEdit('\ufeff# A\nb\n', '1  | \ufeff# A', '\ufeff# B')).toMatchObject({
      text: '\ufeff# B\nb\n',
    });
    expect(applyEdit('\ufeff# A\nb\n', '1  | # A', '')).toMatchObject({ text: '\ufeffb\n' });
    expect(applyEdit('\ufeff# A\nb\n', '\ufeff# A', '# B')).toMatchObject({ text: '\ufeff# B\nb\n' });
    expect(applyEdit('a\ufeffb\n', '\ufeffb', 'c')).toMatchObject({ text: 'ac\n' });
    expect(applyEdit('\ufeff', '1  |', 'a')).toMatchObject({ text: '\ufeffa' });
    expect(applyEdit('a\n\ufeffb\n', '2  | b', 'c')).toMatchObject({ text: 'a\nc\n' });
  });

  it('keeps a final newline in the replacement of a partial line', () => {
    expect(applyEdit(text, 'thr', 'THR\n')).toMatchObject({ text: 'one\ntwo\nTHR\nee\ntwo\nfive\n' });
    expect(applyEdit(text, 'hree', 'HREE\n')).toMatchObject({ text: 'one\ntwo\ntHREE\ntwo\nfive\n' });
  });

  it('preserves line endings, empty lines, carriage returns and a missing final newline', () => {
    expect(applyEdit('a\r\nb\r\nc', '2  | b', 'x\ny')).toMatchObject({ text: 'a\r\nx\r\ny\r\nc' });
    expect(applyEdit('a\r\nb\r\nc', '3  | c', 'z')).toMatchObject({ text: 'a\r\nb\r\nz' });
    expect(applyEdit('a\n\nb\n', '2  |\n3  | b', 'c')).toMatchObject({ text: 'a\nc\n' });
    expect(applyEdit('a\rb\nc\n', '1  | a␍b', 'x')).toMatchObject({ text: 'x\nc\n' });
  });

  it('replaces exactly the quoted lines of any text', () => {
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
          const placed = applyEdit(whole, shown.join('\n'), 'NEW');
          expect(placed).toMatchObject({
            kind: 'applied',
            text: [...clean.slice(0, from), 'NEW', ...clean.slice(to + 1)].join(end) + (isEnded ? end : ''),
          });
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('applyEdit on a long text', () => {
  it('stops searching after the first matches', async () => {
    const place = (lines: number) => () => applyEdit('een\n'.repeat(lines), 'e', 'x');
    expect(place(100)()).toEqual({ kind: 'ambiguous', places: expect.objectContaining({ length: 21 }) });
    expect(await costRatio(place(40_000), place(10_000))).toBeLessThan(10);
  });

  it('inserts more lines than a function call can have arguments', () => {
    const placed = applyEdit('a\nb\n', 'a', 'x\n'.repeat(300_000));
    expect(placed).toMatchObject({ kind: 'applied', last: 300_000 });
  });
});
