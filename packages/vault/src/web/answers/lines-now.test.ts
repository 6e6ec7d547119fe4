import { describe, expect, it } from 'vitest';
import { linesNow } from './lines-now.ts';

const file = ['# Log', '', '## Roof', 'It leaks.', 'Call Ana.', '', '## Well', 'Dry.'];

describe('what stands now where lines stood', () => {
  it('is found where most of them are, wherever they went', () => {
    const then = { start: 1, lines: ['## Roof', 'It leaks a lot.', 'Call Ana.'] };
    expect(linesNow(then, file)).toEqual({ start: 3, lines: ['## Roof', 'It leaks.', 'Call Ana.'] });
  });

  it('is the same place where none of them is left, as far as there is one', () => {
    expect(linesNow({ start: 8, lines: ['Full.'] }, file)).toEqual({ start: 8, lines: ['Dry.'] });
    expect(linesNow({ start: 20, lines: ['a', 'b'] }, file)).toEqual({
      start: 7,
      lines: ['## Well', 'Dry.'],
    });
    expect(linesNow({ start: 1, lines: ['a', 'b'] }, ['c'])).toEqual({ start: 1, lines: ['c'] });
  });

  it('is the nearest of two places that are alike', () => {
    const twice = ['x', 'same', 'y', 'z', 'same', 'w'];
    expect(linesNow({ start: 5, lines: ['same', 'old'] }, twice).start).toBe(5);
    expect(linesNow({ start: 1, lines: ['old', 'same'] }, twice).start).toBe(1);
  });
});
