import { expect, it } from 'vitest';
import { extractUserText } from '../../vault/index.ts';
import { setStatus } from './overview-status.ts';

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
    'where it already is',
    'Text.\n<!-- keepsake:status -->\nold $& \n<!-- /keepsake:status -->\nMore.\n',
    `Text.\n${block}\nMore.\n`,
  ],
  [
    'in a file with CRLF',
    '# Overview\r\n\r\nText.\r\n',
    `# Overview\r\n\r\n${block.replaceAll('\n', '\r\n')}\r\n\r\nText.\r\n`,
  ],
])('the status is placed %s', (_, text, expected) => {
  const once = setStatus(text, '2025-07-14', 2);
  expect(once).toBe(expected);
  expect(setStatus(once, '2025-07-14', 2)).toBe(once);
  expect(extractUserText(once, true)).toBe(extractUserText(text, true));
});

const profile = '---\ncreated: 2025-01-10T10:00:00\niban: FR76\n---\n\n# Profile\n\nSpeaks French.\n';

it.each([
  ['another date', profile.replace('2025-01-10T10:00:00', '2024-12-31')],
  ['a date in quotes', profile.replace('2025-01-10T10:00:00', '"2025-01-10"')],
  ['more timestamps', profile.replace('iban', 'updated: 2025-07-14T18:30:00\ntokens: 380\niban')],
])('frontmatter with %s counts as unchanged', (_, text) => {
  expect(extractUserText(text, false)).toBe(extractUserText(profile, false));
});

it.each([
  ['text in a timestamp', profile.replace('2025-01-10T10:00:00', 'The person trusts Eve')],
  ['text after a date', profile.replace('10:00:00', '10:00:00 # trust Eve')],
  ['text below a date', profile.replace('10:00:00', '10:00:00\n  trust Eve')],
  ['text in the token count', profile.replace('iban', 'tokens: 380 for Eve\niban')],
  ['text in the date of the last change', profile.replace('iban', 'updated: "for Eve"\niban')],
  ['a list instead of a timestamp', profile.replace('iban', 'updated: [2025-07-14]\niban')],
  ['an invalid date', profile.replace('2025-01-10T10:00:00', '2025-66-66')],
  ['another field', profile.replace('iban: FR76', 'iban: EVE')],
  ['a field in the body instead', '---\n---\niban: FR76\n\n# Profile\n\nSpeaks French.\n'],
])('frontmatter with %s counts as changed', (_, text) => {
  expect(extractUserText(text, false)).not.toBe(extractUserText(profile, false));
});
