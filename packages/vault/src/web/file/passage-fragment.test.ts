import { describe, expect, it } from 'vitest';
import { findBestLine, prepareFragment, startAtSection } from './passage-fragment.ts';

describe('prepareFragment', () => {
  it('completes lines from the middle of a table or a code block, and keeps their numbers', () => {
    expect(prepareFragment(['| a | b |', '| c | d |'], 7)).toEqual({
      properties: [],
      body: '| | |\n|---|---|\n| a | b |\n| c | d |',
      lineOffset: 4,
    });
    expect(prepareFragment(['x = 1', '```', 'Text.'], 7)).toEqual({
      properties: [],
      body: '```\nx = 1\n```\nText.',
      lineOffset: 5,
    });
  });

  it('leaves whole tables and code blocks as they are', () => {
    for (const lines of [
      ['| a |', '| --- |', '| b |'],
      ['```js', 'x', '```'],
      ['```', 'x', '```'],
      ['Text.', '```js', 'x'],
    ])
      expect(prepareFragment(lines, 3)).toEqual({ properties: [], body: lines.join('\n'), lineOffset: 2 });
  });

  it('separates frontmatter and leaves out stamps', () => {
    expect(prepareFragment(['---', 'tags: [a]', 'tokens: 3', '---', '', '# A'], 1)).toEqual({
      properties: ['tags: [a]'],
      body: '# A',
      lineOffset: 5,
    });
    expect(prepareFragment(['---', 'tags: [a]'], 1)).toEqual({
      properties: ['tags: [a]'],
      body: '',
      lineOffset: 2,
    });
    // The lines may begin at the end of the frontmatter.
    expect(prepareFragment(['---', '', 'Text.'], 5)).toEqual({
      properties: [],
      body: 'Text.',
      lineOffset: 6,
    });
  });
});

it('startAtSection leaves out the sections before that of the best line', () => {
  const lines = ['## A', 'one', '## B', 'two', '## C', 'three'];
  expect(startAtSection(lines, 10, 13)).toEqual({ lines: lines.slice(2), start: 12 });
  expect(startAtSection(lines, 10, 11)).toEqual({ lines, start: 10 });
  expect(startAtSection(['one', 'two'], 4, 5)).toEqual({ lines: ['one', 'two'], start: 4 });
});

it('findBestLine returns the line with the most terms', () => {
  const lines = ['Buoys report.', 'The vote is in May.', 'The Vote on the embargo.'];
  expect(findBestLine(lines, ['vote', 'embargo'])).toBe(2);
  expect(findBestLine(lines, ['x'])).toBe(0);
});
