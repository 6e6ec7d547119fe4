import { describe, expect, it } from 'vitest';
import { splitIntoWindows } from './windows.ts';

const large = { contextTokens: 2_048 };
const sentence = 'The boiler is serviced every October by the same firm. ';

describe('windows of a chunk', () => {
  it('consist of the heading path and whole lines, and have their line range', () => {
    const lines = Array.from({ length: 9 }, (_, number) => `${number} ${'word '.repeat(25)}`.trim());
    const windows = splitIntoWindows('house › boiler', `\n${lines.join('\n')}\n`, large);
    expect(windows.map(({ first, last }) => [first, last])).toEqual([
      [1, 3],
      [4, 6],
      [7, 9],
    ]);
    expect(windows[1]?.text).toBe(`house › boiler\n${lines.slice(3, 6).join('\n')}`);
  });

  it('split a long line after a sentence, otherwise after a word, otherwise at the limit', () => {
    const textsOf = (line: string) => splitIntoWindows('t', line, large).map(({ text }) => text.slice(2));
    const sentences = textsOf(sentence.repeat(20).trim());
    expect(sentences.length).toBeGreaterThan(2);
    for (const text of sentences) expect(text).toMatch(/^The boiler .* firm\.$/);
    const words = textsOf('word '.repeat(200).trim());
    for (const text of words) expect(text).toMatch(/^(word ?)+$/);
    expect(textsOf('x'.repeat(1_000)).map((text) => text.length)).toEqual([450, 450, 100]);
  });

  it('contain all text and respect the maximum length', () => {
    const body = Array.from({ length: 30 }, (_, number) => sentence.repeat(number % 13)).join('\n');
    for (const contextTokens of [40, 100, 2_048]) {
      const windows = splitIntoWindows('headingPath', body, { contextTokens });
      const most = Math.min(450, contextTokens * 4 - 'headingPath\n'.length) + 'headingPath\n'.length;
      expect(Math.max(...windows.map(({ text }) => text.length))).toBeLessThanOrEqual(most);
      const words = windows.flatMap(({ text }) => text.slice('headingPath\n'.length).trim().split(/\s+/));
      expect(words).toEqual(body.split(/\s+/).filter((word) => word !== ''));
    }
  });

  it('are limited to one for an empty body and to 200 for a very long line', () => {
    expect(splitIntoWindows('headingPath', '\n\n', large)).toEqual([
      { text: 'headingPath\n', first: 0, last: 0 },
    ]);
    expect(splitIntoWindows('headingPath', 'x'.repeat(1_000_000), large)).toHaveLength(200);
  });
});
