import { expect, it } from 'vitest';
import { claimTerms } from './claim-terms.ts';

it('claimTerms returns the words of the sentences that cite a source', () => {
  const overview = 'The **vote** is in September [1]. Members get 30 days. [2] The réunion stays [1].';
  expect(claimTerms(overview, 1)).toEqual(['vote', 'september', 'reunion', 'stays']);
  expect(claimTerms(overview, 2)).toContain('30');
  expect(claimTerms('Nothing is cited here.', 3)).toEqual(['nothing', 'cited', 'here']);
});
