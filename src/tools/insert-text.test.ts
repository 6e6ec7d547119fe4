import { describe, expect, it } from 'vitest';
import { insertText } from './insert-text.ts';

const insert = (text: string, piece: string, position: 'top' | 'bottom', isLog = false): string =>
  insertText(text, piece, position, isLog).text;

describe('inserting text', () => {
  it('on top goes below frontmatter, comment and title', () => {
    expect(insert('---\na: 1\n---\n\n<!-- what\nit is -->\n\n# Title\nold\n', 'new', 'top')).toBe(
      '---\na: 1\n---\n\n<!-- what\nit is -->\n\n# Title\n\nnew\n\nold\n',
    );
    expect(insert('# Title\n', 'new\n', 'top')).toBe('# Title\n\nnew\n');
    expect(insert('', 'new', 'top')).toBe('new\n');
  });

  it('on top of a log goes above the first heading', () => {
    expect(insert('---\na: 1\n---\n\n# 2025-07-14\n\n## x\n', '# 2025-07-15\n\n## y\n', 'top', true)).toBe(
      '---\na: 1\n---\n\n# 2025-07-15\n\n## y\n\n# 2025-07-14\n\n## x\n',
    );
    expect(insert('# 2025-07-14\n', '# 2025-07-15', 'top', true)).toBe('# 2025-07-15\n\n# 2025-07-14\n');
  });

  it('at the bottom leaves one empty line, also without a final newline', () => {
    expect(insert('old', 'new', 'bottom')).toBe('old\n\nnew\n');
    expect(insert('old\n\n', '\n\nnew\n\n', 'bottom')).toBe('old\n\nnew\n');
    expect(insert('old\r\n', 'a\nb', 'bottom')).toBe('old\r\n\r\na\r\nb\r\n');
    expect(insert('\ufeff', 'new', 'bottom')).toBe('\ufeffnew\n');
  });

  it('says which lines are new', () => {
    expect(insertText('old\n', 'a\nb', 'bottom', false)).toMatchObject({ first: 3, last: 4 });
    expect(insertText('old\n', 'a\nb', 'top', true)).toMatchObject({ first: 1, last: 2 });
  });
});
