import { expect, it } from 'vitest';
import { ownWords, withStatus } from './status.ts';

const block = '<!-- keepsake:status -->\n2025-07-14 · inbox: 2\n<!-- /keepsake:status -->';

it.each([
  [
    'under the title',
    '---\na: 1\n---\n\n# Overview\n\nText.\n',
    `---\na: 1\n---\n\n# Overview\n\n${block}\n\nText.\n`,
  ],
  ['under a title at the end', '# Overview\n', `# Overview\n\n${block}\n`],
  ['at the end without a title', 'Text.\n', `Text.\n\n${block}\n`],
  [
    'where it stands already',
    'Text.\n<!-- keepsake:status -->\nold $& \n<!-- /keepsake:status -->\nMore.\n',
    `Text.\n${block}\nMore.\n`,
  ],
  [
    'in a file with CRLF',
    '# Overview\r\n\r\nText.\r\n',
    `# Overview\r\n\r\n${block.replaceAll('\n', '\r\n')}\r\n\r\nText.\r\n`,
  ],
])('the status stands %s', (_, text, expected) => {
  const once = withStatus(text, '2025-07-14', 2);
  expect(once).toBe(expected);
  expect(withStatus(once, '2025-07-14', 2)).toBe(once);
  expect(ownWords(once, true)).toBe(ownWords(text, true));
});
