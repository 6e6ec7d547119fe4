import { describe, expect, it } from 'vitest';
import { linkCitations } from './citations.ts';

describe('linkCitations', () => {
  it('links each number to its source', () => {
    expect(linkCitations('Closed [1][2]. Why: [12]', '0123456789', [1, 2, 12])).toBe(
      'Closed [\\[1\\]](#source-01234567-1)[\\[2\\]](#source-01234567-2). Why: [\\[12\\]](#source-01234567-12)',
    );
  });

  it('leaves numbers without a source and other brackets unchanged', () => {
    for (const text of ['[3]', '[0]', '[1](https://example.org)', '[1]: a note', '[2025]', '- [x] done'])
      expect(linkCitations(text, 'a', [1, 2])).toBe(text);
  });
});
