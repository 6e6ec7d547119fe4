import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseVaultPath, defaultLayout } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { createFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { changedText } from './changed-text.ts';
import { findRemovedTextAsync } from './find-removed-text.ts';
import { findRemovedText } from './removed-text.ts';

type Sides = [path: string, before: string | null, after: string | null];

function changesOf(...sides: Sides[]): FileChange[] {
  return sides.flatMap(([path, before, after]) => {
    const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
    return createFileChange(pathOf(path), bytes(before), bytes(after)) ?? [];
  });
}

function pathOf(path: string): VaultPath {
  const parsed = parseVaultPath(path);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
}

const removed = (...sides: Sides[]): number =>
  findRemovedText(changesOf(...sides), defaultLayout).reduce((sum, each) => sum + each.removedCharacters, 0);
const lost = (...sides: Sides[]): string[] =>
  findRemovedText(changesOf(...sides), defaultLayout).flatMap(({ path, isMostlyRemoved }) =>
    isMostlyRemoved ? [path] : [],
  );

const story = 'The boiler was serviced on Monday and the next visit is due in spring.';

describe('kept text', () => {
  it.each<[string, Sides[]]>([
    [
      'moved',
      [
        ['a.md', story, null],
        ['b.md', null, story],
      ],
    ],
    [
      'moved and stamped again',
      [
        ['a.md', story, null],
        ['b.md', null, `---\nupdated: 2025-07-14\n---\n${story}`],
      ],
    ],
    [
      'joined',
      [
        ['a.md', story, null],
        ['b.md', 'Before.\n', `Before.\n\n## The boiler\n\n${story}\n`],
      ],
    ],
    [
      'split',
      [
        ['a.md', `${story}\n\nAnd more of it.\n`, 'And more of it.\n'],
        ['b.md', null, `${story}\n`],
      ],
    ],
    ['rewrapped', [['a.md', story, story.replaceAll(' and ', '\nand ')]]],
    ['given other markup', [['a.md', `- [ ] ${story}\n`, `## ${story}\n`]]],
    ['kept with its lines in another order', [['a.md', 'one\ntwo\nthree\n', 'three\none\ntwo\n']]],
    ['preceded by new text', [['a.md', story, `New.\n${story}`]]],
    ['followed by new text', [['a.md', story, `${story}\nNew.`]]],
  ])('does not count as removed when it is %s', (_, sides) => {
    expect(removed(...sides)).toBe(0);
    expect(lost(...sides)).toEqual([]);
  });

  it('does not count as removed when only stamps or the status of the overview change', () => {
    const status = (day: string) => `# O\n\n<!-- keepsake:status -->\n${day}\n<!-- /keepsake:status -->\n`;
    expect(removed(['overview.md', status('2025-07-14'), status('2025-07-15')])).toBe(0);
    expect(removed(['a.md', '---\nupdated: 2024-01-01\n---\na', '---\nupdated: 2025-01-01\n---\na'])).toBe(0);
  });

  it('does not count as removed when its lines are moved and reordered arbitrarily', () => {
    const words = fc.array(fc.lorem({ maxCount: 12 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, words, (here, there) => {
        const sides: Sides[] = [
          ['a.md', here.join('\n'), null],
          ['b.md', there.join('\n'), [...there, ...here].toReversed().join('\n\n')],
        ];
        expect(removed(...sides)).toBe(0);
      }),
    );
  });
});

describe('deleted text', () => {
  const size = story.replaceAll(/[ .]/g, '').length;

  it.each<[string, Sides[], number]>([
    ['with its file', [['a.md', story, null]], size],
    ['when one letter is left', [['a.md', story, 'x']], size],
    ['when blank lines are left', [['a.md', story, '\n'.repeat(500)]], size],
    [
      'when the same words are left in another order',
      [['a.md', story, story.split(' ').toReversed().join(' ')]],
      size,
    ],
    [
      'when it is replaced by lookalike characters',
      [['a.md', story, story.replaceAll(/[aeio]/g, (letter) => 'аеіо'['aeio'.indexOf(letter)] ?? '')]],
      size,
    ],
    [
      'when one of two copies is left',
      [
        ['a.md', story, null],
        ['b.md', `${story}\n`, null],
        ['c.md', null, `# ${story}`],
      ],
      size,
    ],
    ['when only a stamp is left', [['a.md', story, '---\ncreated: 2025-07-14T10:00:00\n---\n']], size],
    ['when it was in the frontmatter', [['a.md', '---\nborn: somewhere far away\n---\n', '']], 20],
    [
      'when it is moved to the inbox, where an answer deletes it',
      [
        ['a.md', story, null],
        ['inbox/x/original.md', null, story],
      ],
      size,
    ],
    ['when it was in the inbox', [['inbox/x/original.md', story, null]], size],
    ['when its script has no spaces', [['a.md', '今日は天気がいい', '今日は']], 5],
  ])('counts as removed %s', (_, sides, expected) => {
    expect(removed(...sides)).toBe(expected);
  });

  it('is the only text that counts as removed when the rest of its file is kept', () => {
    expect(removed(['a.md', `${story}\nThe second line.\n`, 'The second line.\n'])).toBe(size);
    expect(removed(['a.md', story, story.replace('Monday', 'Tuesday')])).toBe('Monday'.length);
  });

  it('makes its file count as mostly removed when less than half of the file is left', () => {
    const long = `${story}\n`.repeat(12).replaceAll('Monday', (_, at: number) => `day ${at}`);
    expect(lost(['a.md', long, `${long.split('\n')[0]}\n`])).toEqual(['vault/a.md']);
    expect(lost(['a.md', long, long.slice(0, (long.length * 3) / 4)])).toEqual([]);
    expect(lost(['a.png', '\u0000', null])).toEqual(['vault/a.png']);
    expect(lost(['a.png', '\u0000', null], ['b.png', null, '\u0000'])).toEqual([]);
    // Two equal files, but only one copy is left.
    expect(
      lost(['a.png', '\u0000', null], ['b.png', '\u0000', null], ['c.png', null, '\u0000']),
    ).toHaveLength(1);
  });
});

it('text that is too long to compare by words counts as removed unless its lines are kept', () => {
  const line = (number: number): string => `Line ${number} of a long text that goes on and on and on.\n`;
  const long = Array.from({ length: 25_000 }, (_, index) => line(index)).join('');
  expect(removed(['a.md', long, null], ['b.md', null, `# Moved\n${long}`])).toBe(0);
  const wrapped = long.replaceAll(' goes', '\ngoes');
  expect(removed(['a.md', long, null], ['b.md', null, wrapped])).toBeGreaterThan(900_000);
});

describe('the search for removed text', () => {
  const line = (number: number): string => `${number}. A line of a long text that goes on, and on, and on.\n`;
  const body = Array.from({ length: 40_000 }, (_, index) => line(index)).join('');
  const stamped = (day: number, text: string): string => `---\nupdated: 2025-07-0${day}\n---\n${text}`;

  it('compares a long text only where it changed, even if its stamps changed, too', () => {
    const edited: Sides = [
      'a.md',
      stamped(1, body),
      stamped(2, body.replace('20000. A line', '20000. A word')),
    ];
    expect(removed(edited)).toBe('20000Aline'.length);
    expect(lost(edited)).toEqual([]);
    const [change] = changesOf(edited);
    // Only these texts are compared by words.
    expect(change?.kind === 'replace' && changedText(change, false)).toEqual({
      before: line(20_000).trimEnd(),
      after: line(20_000).trimEnd().replace('A line', 'A word'),
    });
  });

  it('counts lines of the body that look like frontmatter', () => {
    const block = '---\ncreated: 2025-07-14\ntokens: 12\n---\n';
    const words = 'created20250714tokens12'.length;
    expect(removed(['a.md', `One.\n${block}Two.\n`, 'One.\nTwo.\n'])).toBe(words);
    expect(removed(['a.md', `${stamped(1, 'One.\n')}${block}Two.\n`, stamped(2, 'One.\nTwo.\n')])).toBe(
      words,
    );
  });

  it('counts a long text as removed when its file is deleted, even if an unrelated file is created', () => {
    const totalCharacters = body.replaceAll(/[^A-Za-z0-9]/g, '').length;
    const changes = changesOf(['a.md', body, null], ['b.md', null, 'Something else.\n']);
    expect(findRemovedText(changes, defaultLayout)).toEqual([
      { path: 'vault/a.md', totalCharacters, removedCharacters: totalCharacters, isMostlyRemoved: true },
    ]);
  });
});

it('long texts are compared in a worker, with the same result, while other work runs', async () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line} of a long note about many things`);
  const changes = changesOf(
    ['a.md', lines.join('\n'), lines.filter((_, line) => line % 3 !== 0).join('\n')],
    ['b.md', 'gone', null],
    ['c.md', null, 'new'],
  );
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 1);
  const found = await findRemovedTextAsync(changes, defaultLayout);
  clearInterval(counting);
  expect(found).toEqual(findRemovedText(changes, defaultLayout));
  expect(found).toHaveLength(2);
  expect(turns).toBeGreaterThan(0);
});
