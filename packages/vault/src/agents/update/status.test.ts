import { expect, it } from 'vitest';
import { ownWords } from '../../vault/index.ts';
import { withStatus } from './status.ts';

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

const profile = '---\ncreated: 2025-01-10T10:00:00\niban: FR76\n---\n\n# Profile\n\nSpeaks French.\n';

it.each([
  ['another date', profile.replace('2025-01-10T10:00:00', '2024-12-31')],
  ['a date in quotes', profile.replace('2025-01-10T10:00:00', '"2025-01-10"')],
  ['more stamps', profile.replace('iban', 'updated: 2025-07-14T18:30:00\ntokens: 380\niban')],
])('a frontmatter with %s says the same', (_, text) => {
  expect(ownWords(text, false)).toBe(ownWords(profile, false));
});

it.each([
  ['words in a stamp', profile.replace('2025-01-10T10:00:00', 'The person trusts Eve')],
  ['words after a date', profile.replace('10:00:00', '10:00:00 # trust Eve')],
  ['words below a date', profile.replace('10:00:00', '10:00:00\n  trust Eve')],
  ['words in the number of tokens', profile.replace('iban', 'tokens: 380 for Eve\niban')],
  ['words in the date of the last change', profile.replace('iban', 'updated: "for Eve"\niban')],
  ['a list for a stamp', profile.replace('iban', 'updated: [2025-07-14]\niban')],
  ['a day that is none', profile.replace('2025-01-10T10:00:00', '2025-66-66')],
  ['another field', profile.replace('iban: FR76', 'iban: EVE')],
  ['a field in the body instead', '---\n---\niban: FR76\n\n# Profile\n\nSpeaks French.\n'],
])('a frontmatter with %s says something else', (_, text) => {
  expect(ownWords(text, false)).not.toBe(ownWords(profile, false));
});
