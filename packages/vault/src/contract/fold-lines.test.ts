import { expect, it } from 'vitest';
import { foldLines } from './fold-lines.ts';

it.each([
  ['everything if it is short', [5, 10], [5, 10]],
  ['everything if only a few lines would be hidden', [18], [18]],
  ['the first 15 lines', [30], [15]],
  ['the first 15 lines of all blocks', [10, 20, 8], [10, 5, 0]],
  ['a block whose last lines are few', [17, 9], [17, 0]],
  ['a single line, which a folded line would only replace', [20, 1, 2], [15, 1, 0]],
])('shows %s', (_, counts, shown) => {
  expect(foldLines(counts)).toEqual(shown);
});
