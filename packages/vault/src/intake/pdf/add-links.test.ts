import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { addLinks } from './add-links.ts';

/** The words that become a link when the page has a link in this rectangle. */
function linked(text: string, [left, right]: [number, number], [top, bottom] = [90, 104]): string[] {
  const annotation = { subtype: 'Link', url: 'https://example.org/', rect: [left, top, right, bottom] };
  return addLinks([run(text)], [annotation], [1, 0, 0, 1, 0, 0])
    .filter(({ link }) => link !== undefined)
    .map((part) => part.text);
}

describe('link text', () => {
  it('includes words that overlap the link by at least 0.4 times the font size', () => {
    expect(linked('one two three', [61.1, 100])).toEqual([]);
    expect(linked('one two three', [60.9, 100])).toEqual(['three']);
  });

  it('is the whole text run if the link covers more than 90% of it, otherwise whole words of it', () => {
    expect(linked('a long long link x', [0, 80.9])).toEqual(['a long long link']);
    expect(linked('a long long link x', [0, 81.1])).toEqual(['a long long link x']);
  });

  it('is only text whose vertical middle is inside the link', () => {
    expect(linked('one', [0, 15], [96.9, 104])).toEqual(['one']);
    expect(linked('one', [0, 15], [97.1, 104])).toEqual([]);
    expect(linked('one', [0, 15], [80, 97.1])).toEqual(['one']);
    expect(linked('one', [0, 15], [80, 96.9])).toEqual([]);
  });
});
