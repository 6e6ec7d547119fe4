import { expect, it } from 'vitest';
import { parseChangelog } from './changelog.ts';

it('parseChangelog returns the day, lines and replaced entries of each entry', () => {
  const text = [
    '---',
    'x: 1',
    '---',
    '',
    '## Before any day',
    '# 2025-09-02 Tuesday',
    '',
    '## [decision] Price 90',
    'replaces: vault/projects/x/changelog.md § 2025-07-14 / Price',
    'Because it is fair.',
    'replaces: changelog.md § ## Offer  sent',
    '',
    '### Details',
    'more',
    '',
    '```',
    '## Not an entry',
    'replaces: changelog.md § Nothing',
    '```',
    '',
    '# no day',
    'A line.',
    '## Last',
    'replaces: everything',
    'replaces: ../outside.md § Heading',
    '',
  ].join('\n');
  expect(parseChangelog(text)).toEqual([
    { heading: 'Before any day', lines: { start: 5, end: 5 }, day: null, replaces: [] },
    {
      heading: '[decision] Price 90',
      lines: { start: 8, end: 19 },
      day: '2025-09-02',
      replaces: [
        { path: 'vault/projects/x/changelog.md', heading: 'Price', day: '2025-07-14' },
        { path: 'vault/changelog.md', heading: 'Offer  sent', day: null },
      ],
    },
    { heading: 'Last', lines: { start: 23, end: 25 }, day: null, replaces: [] },
  ]);
});
