import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { addDayHeading, insertText } from './insert-text.ts';

const insert = (text: string, piece: string, position: 'top' | 'bottom', isLog = false): string =>
  insertText(text, piece, position, isLog).text;

describe('insertText', () => {
  it('inserts at the top below frontmatter, comment and title', () => {
    expect(insert('---\na: 1\n---\n\n<!-- what\nit is -->\n\n# Title\nold\n', 'new', 'top')).toBe(
      '---\na: 1\n---\n\n<!-- what\nit is -->\n\n# Title\n\nnew\n\nold\n',
    );
    expect(insert('# Title\n', 'new\n', 'top')).toBe('# Title\n\nnew\n');
    expect(insert('', 'new', 'top')).toBe('new\n');
  });

  it('inserts at the top of a log above the first heading', () => {
    expect(insert('---\na: 1\n---\n\n# 2025-07-14\n\n## x\n', '# 2025-07-15\n\n## y\n', 'top', true)).toBe(
      '---\na: 1\n---\n\n# 2025-07-15\n\n## y\n\n# 2025-07-14\n\n## x\n',
    );
    expect(insert('# 2025-07-14\n', '# 2025-07-15', 'top', true)).toBe('# 2025-07-15\n\n# 2025-07-14\n');
  });

  it('inserts at the top of a log under the existing heading of the day', () => {
    const log = '---\na: 1\n---\n\n# 2025-07-14 Monday\n\n## x\n';
    const joined = '---\na: 1\n---\n\n# 2025-07-14 Monday\n\n## y\nText.\n\n## x\n';
    expect(insert(log, '# 2025-07-14\n\n## y\nText.\n', 'top', true)).toBe(joined);
    expect(insert(log, '# 2025-07-14 Monday\n## y\nText.', 'top', true)).toBe(joined);
    expect(insertText(log, '# 2025-07-14\n\n## y\nText.', 'top', true)).toMatchObject({ first: 7, last: 8 });
    expect(insert(log.replaceAll('\n', '\r\n'), '# 2025-07-14\n\n## y\nText.', 'top', true)).toBe(
      joined.replaceAll('\n', '\r\n'),
    );
    expect(insert('# 2025-07-14', '# 2025-07-14\n\n## y', 'top', true)).toBe('# 2025-07-14\n\n## y\n');
  });

  it.each([
    ['#   2025-07-14  \n## y', '# 2025-07-14\n', ''],
    ['\n\n# 2025-07-14 #\n## y', '# 2025-07-14 Monday\n', ''],
    ['# 2025-07-14 (lundi)\n\n## y', '# 2025-07-14\n', ''],
    ['# 2025-07-14: Monday\n\n## y', '#  2025-07-14 lundi\n', ''],
    ['# 2025-07-14 — Meeting\n\n## y', '# 2025-07-14\n', 'Meeting\n\n'],
    ['# 2025-07-14 in the evening\n## y', '# 2025-07-14 Monday, in the evening\n', ''],
  ])('merges %j into the day %j and keeps its own words', (piece, heading, words) => {
    expect(insert(`${heading}\n## x\n`, piece, 'top', true)).toBe(`${heading}\n${words}## y\n\n## x\n`);
  });

  it('inserts under the heading of the day wherever it is in a log', () => {
    const log = '# Journal\n\n# 2025-07-15\n\n## a\n\n# 2025-07-14\n\n## x\n\n# 2025-07-13\n\n## b\n';
    const piece = '# 2025-07-14\n\n## y\nText.';
    expect(insert(log, piece, 'top', true)).toBe(log.replace('## x', '## y\nText.\n\n## x'));
    expect(insert(log, piece, 'bottom', true)).toBe(log.replace('## x', '## x\n\n## y\nText.'));
    expect(insertText(log, piece, 'bottom', true)).toMatchObject({ first: 11, last: 12 });
    const fenced = '```\n# 2025-07-14\n```\n';
    expect(insert(fenced, piece, 'top', true)).toBe(`${piece}\n\n${fenced}`);
  });

  it('does not mistake a line in a code block of a log for a heading', () => {
    const entry = '## y\n```sh\n# a comment\n```';
    expect(insert('# 2025-07-14\n\n## x\n', `# 2025-07-14\n\n${entry}`, 'top', true)).toBe(
      `# 2025-07-14\n\n${entry}\n\n## x\n`,
    );
  });

  it.each([
    ['another day', '# 2025-07-15\n\n## y'],
    ['several days', '# 2025-07-14\n\n## y\n\n# 2025-07-13\n\n## z'],
    ['only a day', '# 2025-07-14'],
    ['no day', '# Task\nstatus: to-do'],
    ['a task with a date', '# 2025-07-14 Call Marta\nstatus: to-do'],
  ])('does not merge %s into the first day of a log', (_, piece) => {
    expect(insert('# 2025-07-14\n\n## x\n', piece, 'top', true)).toBe(`${piece}\n\n# 2025-07-14\n\n## x\n`);
  });

  it('separates text at the bottom by one blank line, even without a final newline', () => {
    expect(insert('old', 'new', 'bottom')).toBe('old\n\nnew\n');
    expect(insert('old\n\n', '\n\nnew\n\n', 'bottom')).toBe('old\n\nnew\n');
    expect(insert('old\r\n', 'a\nb', 'bottom')).toBe('old\r\n\r\na\r\nb\r\n');
    expect(insert('\ufeff', 'new', 'bottom')).toBe('\ufeffnew\n');
  });

  it('returns the numbers of the first and last inserted line', () => {
    expect(insertText('old\n', 'a\nb', 'bottom', false)).toMatchObject({ first: 3, last: 4 });
    expect(insertText('old\n', 'a\nb', 'top', true)).toMatchObject({ first: 1, last: 2 });
  });
});

it('insertText inserts blank lines in linear time', async () => {
  const add = (lines: number) => () => insertText('a\n', `b${'\n'.repeat(lines)}c`, 'bottom', false);
  expect(await costRatio(add(40_000), add(10_000))).toBeLessThan(10);
});

describe('addDayHeading', () => {
  it('adds the day above an entry without one', () => {
    expect(addDayHeading('## y\nText.', '2025-07-14')).toBe('# 2025-07-14\n\n## y\nText.');
    expect(addDayHeading('\n  \n## y', '2025-07-14')).toBe('# 2025-07-14\n\n## y');
  });

  it.each(['# 2025-07-13\n\n## y', 'Text.\n\n## y', '## 2025-07-13\n- Text.', '### y', '- y', ''])(
    'leaves %j unchanged',
    (piece) => {
      expect(addDayHeading(piece, '2025-07-14')).toBe(piece);
    },
  );
});
