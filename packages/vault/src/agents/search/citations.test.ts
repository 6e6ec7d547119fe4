import { expect, it } from 'vitest';
import { findCitations, renumberCitations } from './citations.ts';

it('finds the numbers of citations, but not those of links', () => {
  expect(findCitations('A [1]. B [2, 4–6][9]. C [3](x) and [7]: y.')).toEqual([1, 2, 4, 5, 6, 9]);
});

it('renumbers citations, and marks those without lines', () => {
  const withoutSecond = (cited: number) => (cited === 2 ? null : cited > 2 ? cited - 1 : cited);
  const renumber = (text: string) => renumberCitations(text, withoutSecond);
  expect(renumber('A [1]. B [2]. C [3].')).toBe('A [1]. B [?]. C [2].');
  expect(renumber('A [1, 3]. B [1-3]. C [2; 4].')).toBe('A [1, 2]. B [1, 2]. C [3].');
  expect(renumberCitations('A [1–3], [4;5].', (cited) => cited)).toBe('A [1–3], [4;5].');
});
