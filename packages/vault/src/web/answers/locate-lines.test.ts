import { describe, expect, it } from 'vitest';
import { locateLines } from './locate-lines.ts';

const file = ['# Log', '', '## Roof', 'It leaks.', 'Call Ana.', '', '## Well', 'Dry.'];

describe('locateLines', () => {
  it('follows the lines to where most of them are now', () => {
    const then = { start: 1, lines: ['## Roof', 'It leaks a lot.', 'Call Ana.'] };
    expect(locateLines(then, file)).toEqual({ start: 3, lines: ['## Roof', 'It leaks.', 'Call Ana.'] });
  });

  it('falls back to the original position, within the file, if no line is left', () => {
    expect(locateLines({ start: 8, lines: ['Full.'] }, file)).toEqual({ start: 8, lines: ['Dry.'] });
    expect(locateLines({ start: 20, lines: ['a', 'b'] }, file)).toEqual({
      start: 7,
      lines: ['## Well', 'Dry.'],
    });
    expect(locateLines({ start: 1, lines: ['a', 'b'] }, ['c'])).toEqual({ start: 1, lines: ['c'] });
  });

  it('prefers the nearest of two equal matches', () => {
    const twice = ['x', 'same', 'y', 'z', 'same', 'w'];
    expect(locateLines({ start: 5, lines: ['same', 'old'] }, twice).start).toBe(5);
    expect(locateLines({ start: 1, lines: ['old', 'same'] }, twice).start).toBe(1);
  });
});
