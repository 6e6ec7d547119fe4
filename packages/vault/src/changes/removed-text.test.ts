import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { ownWords, parseVaultPath, usualLayout } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { fileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { removedText } from './removed-text.ts';

type Sides = [path: string, before: string | null, after: string | null];

function changesOf(...sides: Sides[]): FileChange[] {
  return sides.flatMap(([path, before, after]) => {
    const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
    return fileChange(pathOf(path), bytes(before), bytes(after)) ?? [];
  });
}

function pathOf(path: string): VaultPath {
  const parsed = parseVaultPath(path);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
}

const removed = (...sides: Sides[]): number =>
  removedText(changesOf(...sides), usualLayout).reduce((sum, each) => sum + each.removed, 0);
const lost = (...sides: Sides[]): string[] =>
  removedText(changesOf(...sides), usualLayout).flatMap(({ path, isLost }) => (isLost ? [path] : []));

const story = 'The boiler was serviced on Monday and the next visit is due in spring.';

describe('text that is somewhere else afterwards is not removed', () => {
  it.each<[string, Sides[]]>([
    [
      'moved',
      [
        ['a.md', story, null],
        ['b.md', null, story],
      ],
    ],
    [
      'moved and stamped anew',
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
    ['wrapped anew', [['a.md', story, story.replaceAll(' and ', '\nand ')]]],
    ['set in another markup', [['a.md', `- [ ] ${story}\n`, `## ${story}\n`]]],
    ['in lines of another order', [['a.md', 'one\ntwo\nthree\n', 'three\none\ntwo\n']]],
    ['after what was put before it', [['a.md', story, `New.\n${story}`]]],
    ['before what was put after it', [['a.md', story, `${story}\nNew.`]]],
  ])('when it is %s', (_, sides) => {
    expect(removed(...sides)).toBe(0);
    expect(lost(...sides)).toEqual([]);
  });

  it('nor are stamps, and the status of the overview', () => {
    const status = (day: string) => `# O\n\n<!-- keepsake:status -->\n${day}\n<!-- /keepsake:status -->\n`;
    expect(removed(['overview.md', status('2025-07-14'), status('2025-07-15')])).toBe(0);
    expect(removed(['a.md', '---\nupdated: 2024-01-01\n---\na', '---\nupdated: 2025-01-01\n---\na'])).toBe(0);
  });

  it('whatever is cut and put together again', () => {
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

describe('text is removed', () => {
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
      'when it looks alike',
      [['a.md', story, story.replaceAll(/[aeio]/g, (letter) => 'аеіо'['aeio'.indexOf(letter)] ?? '')]],
      size,
    ],
    [
      'when of two that are the same one is left',
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
      'when it lies in the inbox, from where answers take it',
      [
        ['a.md', story, null],
        ['inbox/x/original.md', null, story],
      ],
      size,
    ],
    ['from the inbox', [['inbox/x/original.md', story, null]], size],
    ['in a script without blanks', [['a.md', '今日は天気がいい', '今日は']], 5],
  ])('%s', (_, sides, expected) => {
    expect(removed(...sides)).toBe(expected);
  });

  it('but for what else is in the file', () => {
    expect(removed(['a.md', `${story}\nThe second line.\n`, 'The second line.\n'])).toBe(size);
    expect(removed(['a.md', story, story.replace('Monday', 'Tuesday')])).toBe('Monday'.length);
  });

  it('and the file is lost when less than half of it is left', () => {
    const long = `${story}\n`.repeat(12).replaceAll('Monday', (_, at: number) => `day ${at}`);
    expect(lost(['a.md', long, `${long.split('\n')[0]}\n`])).toEqual(['vault/a.md']);
    expect(lost(['a.md', long, long.slice(0, (long.length * 3) / 4)])).toEqual([]);
    expect(lost(['a.png', '\u0000', null])).toEqual(['vault/a.png']);
    expect(lost(['a.png', '\u0000', null], ['b.png', null, '\u0000'])).toEqual([]);
    // Of two that are the same, one is not where both went.
    expect(
      lost(['a.png', '\u0000', null], ['b.png', '\u0000', null], ['c.png', null, '\u0000']),
    ).toHaveLength(1);
  });
});

it('text that is too long to be looked for word by word counts as removed unless its lines are there', () => {
  const line = (number: number): string => `Line ${number} of a long text that goes on and on and on.\n`;
  const long = Array.from({ length: 25_000 }, (_, index) => line(index)).join('');
  expect(removed(['a.md', long, null], ['b.md', null, `# Moved\n${long}`])).toBe(0);
  const wrapped = long.replaceAll(' goes', '\ngoes');
  expect(removed(['a.md', long, null], ['b.md', null, wrapped])).toBeGreaterThan(900_000);
});

describe('of a long text', () => {
  const line = (number: number): string => `${number}. A line of a long text that goes on, and on, and on.\n`;
  const body = Array.from({ length: 40_000 }, (_, index) => line(index)).join('');
  const stamped = (day: number, text: string): string => `---\nupdated: 2025-07-0${day}\n---\n${text}`;

  it('only what is changed is compared, stamps or not', async () => {
    const edited: Sides = [
      'a.md',
      stamped(1, body),
      stamped(2, body.replace('20000. A line', '20000. A word')),
    ];
    expect(removed(edited)).toBe('20000Aline'.length);
    expect(lost(edited)).toEqual([]);
    const changes = changesOf(edited);
    const ratio = await costRatio(
      () => removedText(changes, usualLayout),
      () => ownWords(stamped(1, body), false),
    );
    expect(ratio).toBeLessThan(11);
  });

  it('lines that look like a frontmatter below it are words', () => {
    const block = '---\ncreated: 2025-07-14\ntokens: 12\n---\n';
    const words = 'created20250714tokens12'.length;
    expect(removed(['a.md', `One.\n${block}Two.\n`, 'One.\nTwo.\n'])).toBe(words);
    expect(removed(['a.md', `${stamped(1, 'One.\n')}${block}Two.\n`, stamped(2, 'One.\nTwo.\n')])).toBe(
      words,
    );
  });

  it('all of it is removed with its file, whatever else is new', () => {
    const had = body.replaceAll(/[^A-Za-z0-9]/g, '').length;
    const changes = changesOf(['a.md', body, null], ['b.md', null, 'Something else.\n']);
    expect(removedText(changes, usualLayout)).toEqual([
      { path: 'vault/a.md', had, removed: had, isLost: true },
    ]);
  });
});
