import { describe, expect, it } from 'vitest';
import { joinNewEntries, newEntries, plainEntry } from './changelog.ts';

const before = '---\nx: 1\n---\n\n# 2025-07-01\n\n## One\n\n## Two\n';

describe('new entries of a changelog', () => {
  it.each([
    ['none', before, 0],
    ['one', before.replace('# 2025-07-01', '# 2025-07-02\n\n## Three\n\n# 2025-07-01'), 1],
    ['one of the same name', before.replace('# 2025-07-01', '# 2025-07-02\n\n## One\n\n# 2025-07-01'), 1],
    ['none in a fence', `${before}\n\`\`\`\n## Three\n\`\`\`\n`, 0],
    ['none in a comment', `${before}\n<!--\n## Three\n-->\n`, 0],
    ['none when one is gone', before.replace('## Two\n', ''), 0],
    ['two in the place of one', before.replace('## Two\n', '## A\n\n## B\n'), 2],
  ])('%s', (_, after, count) => {
    expect(newEntries(before, after)).toBe(count);
  });

  it('become parts of the first of them', () => {
    const top = '# 2025-07-02\n\n## Three\n\n## Four\n\n## One\n\n';
    const after = before.replace('# 2025-07-01', `${top}# 2025-07-01`);
    const joined = joinNewEntries(before, after);
    expect(joined).toBe(after.replace('## Four', '### Four').replace('## One', '### One'));
    expect(newEntries(before, joined)).toBe(1);
  });
});

it('a plain entry has the first line of the summary as its title', () => {
  expect(plainEntry('2025-07-14', '\n## Filed\nmore', ['vault/a.md'])).toBe(
    '# 2025-07-14\n\n## Filed\n- vault/a.md',
  );
  expect(plainEntry('2025-07-14', ' ', [])).toBe('# 2025-07-14\n\n## update\n');
});
