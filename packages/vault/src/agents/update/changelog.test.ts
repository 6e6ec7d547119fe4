import { describe, expect, it } from 'vitest';
import { mergeAddedEntries, countAddedEntries, createDefaultEntry } from './changelog.ts';

const before = '---\nx: 1\n---\n\n# 2025-07-01\n\n## One\n\n## Two\n';

describe('new entries in a changelog', () => {
  it.each([
    ['none', before, 0],
    ['one', before.replace('# 2025-07-01', '# 2025-07-02\n\n## Three\n\n# 2025-07-01'), 1],
    [
      'one with the same heading',
      before.replace('# 2025-07-01', '# 2025-07-02\n\n## One\n\n# 2025-07-01'),
      1,
    ],
    ['none in a fence', `${before}\n\`\`\`\n## Three\n\`\`\`\n`, 0],
    ['none in a comment', `${before}\n<!--\n## Three\n-->\n`, 0],
    ['none if one was deleted', before.replace('## Two\n', ''), 0],
    ['two instead of one', before.replace('## Two\n', '## A\n\n## B\n'), 2],
  ])('are counted: %s', (_, after, count) => {
    expect(countAddedEntries(before, after)).toBe(count);
  });

  it('become subsections of the first one', () => {
    const top = '# 2025-07-02\n\n## Three\n\n## Four\n\n## One\n\n';
    const after = before.replace('# 2025-07-01', `${top}# 2025-07-01`);
    const joined = mergeAddedEntries(before, after);
    expect(joined).toBe(after.replace('## Four', '### Four').replace('## One', '### One'));
    expect(countAddedEntries(before, joined)).toBe(1);
  });
});

it('a default changelog entry has the first line of the summary as its title', () => {
  expect(createDefaultEntry('2025-07-14', '\n## Filed\nmore', ['vault/a.md'])).toBe(
    '# 2025-07-14\n\n## Filed\n- vault/a.md',
  );
  expect(createDefaultEntry('2025-07-14', ' ', [])).toBe('# 2025-07-14\n\n## update\n');
});
