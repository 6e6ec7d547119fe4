import { describe, expect, it } from 'vitest';
import { windowsOf } from './windows.ts';

const large = { contextTokens: 2_048 };
const sentence = 'The boiler is serviced every October by the same firm. ';

describe('windows of a section', () => {
  it('are whole lines, each after the trail, and tell which lines they are of', () => {
    const lines = Array.from({ length: 9 }, (_, number) => `${number} ${'word '.repeat(25)}`.trim());
    const windows = windowsOf('house › boiler', `\n${lines.join('\n')}\n`, large);
    expect(windows.map(({ first, last }) => [first, last])).toEqual([
      [1, 3],
      [4, 6],
      [7, 9],
    ]);
    expect(windows[1]?.text).toBe(`house › boiler\n${lines.slice(3, 6).join('\n')}`);
  });

  it('cut a line that is too long at the end of a sentence, else of a word, else where they must', () => {
    const textsOf = (line: string) => windowsOf('t', line, large).map(({ text }) => text.slice(2));
    const sentences = textsOf(sentence.repeat(20).trim());
    expect(sentences.length).toBeGreaterThan(2);
    for (const text of sentences) expect(text).toMatch(/^The boiler .* firm\.$/);
    const words = textsOf('word '.repeat(200).trim());
    for (const text of words) expect(text).toMatch(/^(word ?)+$/);
    expect(textsOf('x'.repeat(1_000)).map((text) => text.length)).toEqual([450, 450, 100]);
  });

  it('leave no text out and are none of them longer than they may be', () => {
    const body = Array.from({ length: 30 }, (_, number) => sentence.repeat(number % 13)).join('\n');
    for (const contextTokens of [40, 100, 2_048]) {
      const windows = windowsOf('trail', body, { contextTokens });
      const most = Math.min(450, contextTokens * 4 - 'trail\n'.length) + 'trail\n'.length;
      expect(Math.max(...windows.map(({ text }) => text.length))).toBeLessThanOrEqual(most);
      const words = windows.flatMap(({ text }) => text.slice('trail\n'.length).trim().split(/\s+/));
      expect(words).toEqual(body.split(/\s+/).filter((word) => word !== ''));
    }
  });

  it('are one where there is nothing but the trail, and not more than anybody needs of one endless line', () => {
    expect(windowsOf('trail', '\n\n', large)).toEqual([{ text: 'trail\n', first: 0, last: 0 }]);
    expect(windowsOf('trail', 'x'.repeat(1_000_000), large)).toHaveLength(200);
  });
});
