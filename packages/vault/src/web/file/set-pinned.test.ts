import { expect, it } from 'vitest';
import { setPinned } from './set-pinned.ts';

it.each([
  ['Text.\n', '---\npinned: true\n---\n\nText.\n'],
  ['---\ncreated: 2026-01-01\n---\nText.\n', '---\ncreated: 2026-01-01\npinned: true\n---\nText.\n'],
  ['---\r\na: 1\r\n---\r\nText.\r\n', '---\r\na: 1\r\npinned: true\r\n---\r\nText.\r\n'],
  ['\uFEFFText.\n', '\uFEFF---\npinned: true\n---\n\nText.\n'],
  ['Rule below.\n\n---\na: 1\n---\n', '---\npinned: true\n---\n\nRule below.\n\n---\na: 1\n---\n'],
])('pins %j', (before, after) => {
  expect(setPinned(before, true)).toBe(after);
});

it('removes only the property, wherever it is in the frontmatter', () => {
  expect(setPinned('---\npinned: true\na: 1\n---\npinned: true\n', false)).toBe(
    '---\na: 1\n---\npinned: true\n',
  );
  expect(setPinned('Text.\n', false)).toBe('Text.\n');
  expect(setPinned('---\npinned: false\na: 1\n---\n', true)).toBe('---\na: 1\npinned: true\n---\n');
});
