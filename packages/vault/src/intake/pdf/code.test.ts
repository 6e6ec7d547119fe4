import { describe, expect, it } from 'vitest';
import { line, run } from '../../../../../test/intake/pdf-runs.ts';
import { codeOf } from './code.ts';
import { toLines } from './line.ts';

describe('code', () => {
  it('has an empty line where the line spacing is more than 1.6 times the normal one', () => {
    const after = (y: number): string => codeOf([line('one();'), line('two();', { y })], 1.25);
    expect(after(119.9)).toBe('one();\ntwo();');
    expect(after(120.1)).toBe('one();\n\ntwo();');
  });

  it('is indented by the number of characters that fit to its left, rounded', () => {
    const indented = (x: number): string => codeOf([line('if (a)'), line('b();', { x, y: 112 })], 1.25);
    expect(indented(12.4)).toBe('if (a)\n  b();');
    expect(indented(12.6)).toBe('if (a)\n   b();');
  });

  it('keeps the spacing between the words of a line', () => {
    expect(codeOf(toLines([run('a'), run('// why', { x: 40 })]), 1.25)).toBe('a       // why');
  });

  it('is indented relative to its own left edge, not that of the page', () => {
    expect(codeOf([line('a {', { x: 70 }), line('b', { x: 80, y: 112 })], 1.25)).toBe('a {\n  b');
  });
});
