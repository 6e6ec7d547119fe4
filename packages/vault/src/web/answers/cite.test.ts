import { describe, expect, it } from 'vitest';
import { withCitations } from './cite.ts';

describe('the numbers in an overview', () => {
  it('lead to the sources that they count', () => {
    expect(withCitations('Closed [1][2]. Why: [12]', '0123456789', 12)).toBe(
      'Closed [\\[1\\]](#source-01234567-1)[\\[2\\]](#source-01234567-2). Why: [\\[12\\]](#source-01234567-12)',
    );
  });

  it('are left as they are where there is no such source, or where they are something else', () => {
    for (const text of ['[3]', '[0]', '[1](https://example.org)', '[1]: a note', '[2025]', '- [x] done'])
      expect(withCitations(text, 'a', 2)).toBe(text);
  });
});
