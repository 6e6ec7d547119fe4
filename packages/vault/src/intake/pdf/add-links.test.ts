import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { addLinks } from './add-links.ts';

/** The words that become a link where one is on the page, from left to right and from top to bottom. */
function linked(text: string, [left, right]: [number, number], [top, bottom] = [90, 104]): string[] {
  const annotation = { subtype: 'Link', url: 'https://example.org/', rect: [left, top, right, bottom] };
  return addLinks([run(text)], [annotation], [1, 0, 0, 1, 0, 0])
    .filter(({ link }) => link !== undefined)
    .map((part) => part.text);
}

describe('the words of a link', () => {
  it('reach into it by 0.4 of a letter', () => {
    expect(linked('one two three', [61.1, 100])).toEqual([]);
    expect(linked('one two three', [60.9, 100])).toEqual(['three']);
  });

  it('are all of a run when it covers more than 0.9 of them, else whole words', () => {
    expect(linked('a long long link x', [0, 80.9])).toEqual(['a long long link']);
    expect(linked('a long long link x', [0, 81.1])).toEqual(['a long long link x']);
  });

  it('have their middle between its upper and its lower edge', () => {
    expect(linked('one', [0, 15], [96.9, 104])).toEqual(['one']);
    expect(linked('one', [0, 15], [97.1, 104])).toEqual([]);
    expect(linked('one', [0, 15], [80, 97.1])).toEqual(['one']);
    expect(linked('one', [0, 15], [80, 96.9])).toEqual([]);
  });
});
