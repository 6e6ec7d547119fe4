import { describe, expect, it } from 'vitest';
import { createRetrievalMetrics } from './retrieval-metrics.ts';
import type { Question, SearchResult } from './retrieval-metrics.ts';

const place = (line: number): Question['relevant'][number] => ({ path: 'a.md', lines: [line, line] });
const passage = { path: 'vault/a.md', lines: { start: 1, end: 3 }, text: 'one\ntwo\nthree' };
const found: SearchResult = { ranked: [passage], shown: [passage], milliseconds: 1, cpuMilliseconds: 1 };

function forbiddenShown(...questions: (number[] | undefined)[]): number | null {
  const metrics = createRetrievalMetrics();
  for (const [id, lines] of questions.entries())
    metrics.add({ id: String(id), query: 'one', relevant: [place(1)], forbidden: lines?.map(place) }, found);
  return metrics.finish().forbiddenShown;
}

describe('the figures of a retrieval run', () => {
  it('contain the mean share of forbidden lines that are shown', () => {
    expect(forbiddenShown([2, 9], [2], [9], undefined)).toBe(0.5);
  });

  it('do not rate forbidden lines if no question names some', () => {
    expect(forbiddenShown(undefined)).toBeNull();
  });
});
