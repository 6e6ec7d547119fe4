import { describe, expect, it } from 'vitest';
import { parseChangelog } from './changelog.ts';

const plain = { day: null, when: null, from: null, replaces: [], invalidLines: [] };

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
    { ...plain, heading: 'Before any day', lines: { start: 5, end: 5 } },
    {
      ...plain,
      heading: '[decision] Price 90',
      lines: { start: 8, end: 19 },
      day: '2025-09-02',
      replaces: [
        { path: 'vault/projects/x/changelog.md', heading: 'Price', day: '2025-07-14' },
        { path: 'vault/changelog.md', heading: 'Offer  sent', day: null },
      ],
    },
    { ...plain, heading: 'Last', lines: { start: 23, end: 25 }, invalidLines: [24, 25] },
  ]);
});

describe('the dates of an entry', () => {
  const entryWith = (...lines: string[]) =>
    parseChangelog(['# 2026-11-17', '', '## Vote', ...lines].join('\n'))[0];

  it.each([
    ['below the heading', ['when: 2026-09-24', 'from: 2027-01-01']],
    [
      'in any order, between other fields',
      ['from:2027-01-01', 'replaces: changelog.md § A', 'when: 2026-09-24'],
    ],
    ['below an empty line', ['', 'when: 2026-09-24', 'from: 2027-01-01', 'Text.']],
    ['followed by words', ['when: 2026-09-24 in the evening', 'from: 2027-01-01  ']],
    [
      'the first of several',
      ['when: 2026-09-24', 'from: 2027-01-01', 'when: 2026-09-25', 'from: 2028-01-01'],
    ],
  ])('are read %s', (_, lines) => {
    expect(entryWith(...lines)).toMatchObject({ when: '2026-09-24', from: '2027-01-01', invalidLines: [] });
  });

  it.each([
    ['below other text', ['Text.', 'when: 2026-09-24', 'from: tomorrow']],
    ['in a code block', ['```', 'when: 2026-09-24', '```']],
    ['as the sender of a quoted message', ['from: Anna', 'Text.']],
  ])('are not read %s', (_, lines) => {
    expect(entryWith(...lines)).toMatchObject({ when: null, from: null, invalidLines: [] });
  });

  it.each([
    'when: tomorrow',
    'when: 2026-02-31',
    'when: 2026-09',
    'when:',
    'from: 1.1.2027',
    'from: 2027-13-01',
  ])('are ignored and reported if they are invalid: %s', (line) => {
    expect(entryWith(line, 'Text.')).toMatchObject({ when: null, from: null, invalidLines: [4] });
  });
});
