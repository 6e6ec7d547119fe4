import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../packages/vault/src/cli/display-width.ts';
import { createWordFinder } from '../packages/vault/src/search/index.ts';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { temporaryVault } from './temporary-vault.ts';
import type { Files } from './temporary-vault.ts';

const filler = 'A sentence about something else that is not wanted here. '.repeat(12);
const files: Files = {
  'Boiler.md':
    '---\ndate: 2026-06-01\n---\n# Boiler\n\nThe boilers of both houses are serviced by the plumber in June.\n\nThe other boiler is older.\n',
  'changelog.md':
    '# 2026-06-11\n\n## [decision] A boiler for pellets\nThe old one was serviced for the last time.\n',
  'bucket/long.md': `# Long\n\n${filler}The boiler is serviced here. ${filler}\n`,
  ...Object.fromEntries(
    ['Garden', 'Roof', 'Taxes', 'Bicycle'].map((name) => [
      `${name}.md`,
      `# ${name}\n\nSomething about the ${name.toLowerCase()}.\n`,
    ]),
  ),
};

type Terminal = { isTerminal: boolean; columns?: number };

async function find(args: string[], terminal: Terminal = { isTerminal: false }, own = files): Promise<Ran> {
  const { folder, state, keepsake } = await temporaryVault(own);
  await keepsake.close();
  return runCommand(['find', ...args, '--vault', folder, '--state', state], terminal);
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

describe('the results of find', () => {
  it('are one hit per note: title, path, day, and the best matching line', async () => {
    const { out } = await find(['boiler serviced']);
    expect(out).toContain(
      [
        'Boiler  vault/Boiler.md  2026-06-01',
        '  6: The boilers of both houses are serviced by the plumber in June.',
        '',
      ].join('\n'),
    );
    expect(out).toMatch(
      /^2026-06-11 › \[decision\] A boiler for pellets {2}vault\/changelog\.md {2}2026-06-11\n {2}\d: /m,
    );
    expect(out.match(/vault\/Boiler\.md/g)).toHaveLength(1);
    expect(out).not.toContain('The other boiler is older');
    expect(out).not.toMatch(/0\.\d\d|```/);
  });

  it('show the text of a note and not its properties if both match', async () => {
    const own = { 'bucket/mail.md': '---\ntopic: wombat\n---\n# Mail\n\nAbout a wombat.\n' };
    const { out } = await find(['wombat'], undefined, own);
    expect(out).toMatch(/^Mail {2}vault\/bucket\/mail\.md {2}\S+\n {2}6: About a wombat\.\n/);
  });

  it('show of a long line what is around the words', async () => {
    const { out } = await find(['boiler serviced', '--scope', 'bucket/']);
    const line = out.split('\n').find((each) => each.includes('The boiler is serviced here.'));
    expect(line).toMatch(/^ {2}3: … [A-Za-z].* …$/);
    expect(line?.length).toBeLessThan(250);
    const whole = await find(['boiler serviced', '--scope', 'bucket/', '--all']);
    expect(whole.out).toContain(`  3: ${filler}The boiler is serviced here. ${filler}`.trimEnd());
  });

  it('are the same text in a pipe and in a terminal, which wraps between words and marks the words', async () => {
    for (const args of [['boiler serviced'], ['boiler serviced', '--all'], ['boiler', '--context']]) {
      const piped = await find(args);
      const wide = await find(args, { isTerminal: true, columns: 100_000 });
      // Notes are no results, so they are not for the program behind the pipe.
      const whole = piped.err === '' ? piped.out : `${piped.out}\n${piped.err}`;
      expect(stripVTControlCharacters(wide.out)).toBe(whole);
      expect(piped.out).not.toContain('note:');
      expect(piped.out).toBe(stripVTControlCharacters(piped.out));
      for (const columns of [80, 40]) {
        const { out } = await find(args, { isTerminal: true, columns });
        const rows = stripVTControlCharacters(out).split('\n');
        expect(rows.filter((row) => displayWidth(row) > columns)).toEqual([]);
        expect(wordsOf(rows.join(' '))).toEqual(wordsOf(whole));
      }
    }
  });

  it('are all matching lines with --all, below the path of their note', async () => {
    const { out } = await find(['boiler', '--all', '--scope', 'Boiler.md']);
    expect(out).toBe(
      [
        'vault/Boiler.md  2026-06-01',
        '  4: # Boiler',
        '  6: The boilers of both houses are serviced by the plumber in June.',
        '  8: The other boiler is older.',
        '',
      ].join('\n'),
    );
  });

  it('are passages with --context, with three lines above and below or as many as it says', async () => {
    const lines = Array.from({ length: 201 }, (_, index) => (index === 100 ? 'a wombat' : `line ${index}`));
    const own = { 'a.md': lines.join('\n') };
    const three = [
      '   98  line 97',
      '   99  line 98',
      '  100  line 99',
      '  101: a wombat',
      '  102  line 101',
    ];
    const { out } = await find(['wombat', '--context'], undefined, own);
    expect(out).toMatch(/^a {2}vault\/a\.md {2}\d{4}-\d\d-\d\d {2}lines 98-104\n/);
    expect(out).toContain(three.join('\n'));
    const none = await find(['wombat', '--context', '0'], undefined, own);
    expect(none.out).toMatch(/ {2}line 101\n {2}101: a wombat\n$/);
    const wrong = await find(['--context', 'wombat'], undefined, own);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('write the query before --context')]);
  });

  it('say how many notes and lines there are, and which options show them', async () => {
    const own: Files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`${index}.md`, `A wombat.\n\n${filler}\n\nWombats.\n`]),
    );
    const { out, err } = await find(['wombat'], undefined, own);
    expect(out.match(/^\S+ {2}vault\//gm)).toHaveLength(10);
    const [, limit] =
      /note: 10 of 30 matching notes; more: --limit (\d+), every line: --all, every path: --paths --all\n$/.exec(
        err,
      ) ?? [];
    const more = await find(['wombat', '--limit', String(limit)], undefined, own);
    expect(more.out.match(/^\S+ {2}vault\//gm)?.length).toBe(Number(limit));
    const rest = await find(['wombat', '--limit', '30'], undefined, own);
    expect(rest.err).toContain('note: 30 of 60 matching lines; every line: --all\n');
    const all = await find(['wombat', '--all'], undefined, own);
    expect(all.out.match(/^ {2}\d+: .*wombat/gim)).toHaveLength(60);
    expect(all.err).not.toContain('note:');
  });

  const mixed: Files = {
    ...Object.fromEntries(
      ['red', 'green', 'blue'].map((name) => [
        `${name}.md`,
        `# ${name}\n\nThe ${name} boiler.\n\nThe plumber.\n`,
      ]),
    ),
    ...Object.fromEntries(
      ['north', 'south', 'east', 'west'].map((name) => [`${name}.md`, `The boiler in the ${name}.\n`]),
    ),
    ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`other/${index}.md`, filler])),
  };
  const pathsIn = (out: string): string[] => [...new Set(out.match(/vault\/\S+/g))].toSorted();
  const complete = ['vault/blue.md', 'vault/green.md', 'vault/red.md'];

  it('mark notes without all words and count them apart', async () => {
    const { out, err } = await find(['boiler plumber'], undefined, mixed);
    const marked = out.split('\n').filter((line) => line.endsWith('  not all words'));
    expect(pathsIn(out)).toHaveLength(7);
    expect(pathsIn(marked.join('\n'))).toEqual(pathsIn(out).filter((path) => !complete.includes(path)));
    expect(err).toContain(
      'note: 3 notes contain all words, 4 more do not\nnote: 3 of 6 matching lines; every line: --all\n',
    );
    const paths = await find(['boiler plumber', '--paths'], undefined, mixed);
    expect(paths.err).toBe('note: 3 notes contain all words, 4 more do not\n');
    const none = await find(['boiler north south'], undefined, mixed);
    expect(none.err).toContain('note: no note contains all words');
    expect(none.out).not.toContain('not all words');
  });

  it('are of the same notes with --all as with --paths --all', async () => {
    for (const [query, expected] of [
      ['boiler plumber', complete],
      ['boiler north', ['vault/north.md']],
      ['boiler north south', []],
    ] as const) {
      const lines = await find([query, '--all'], undefined, mixed);
      const paths = await find([query, '--paths', '--all'], undefined, mixed);
      expect([query, pathsIn(lines.out), pathsIn(paths.out)]).toEqual([query, expected, expected]);
      expect(lines.err.includes('note: no note contains all words')).toBe(expected.length === 0);
    }
  });

  it('come after a progress bar if many files are new', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`many/${index}.md`, `# Note ${index}\n`]),
    );
    const { folder, state } = await temporaryVault(many);
    const args = ['find', 'note', '--vault', folder, '--state', state];
    const { err } = await runCommand(args, { isTerminal: true });
    expect(stripVTControlCharacters(err)).toMatch(/^indexing \S+ \d+ of 120/m);
  });

  it('say what was not searched, and what to try, if nothing was found', async () => {
    const { code, err } = await find(['qqzzxxw'], { isTerminal: true });
    expect(code).toBe(1);
    expect(err).toContain('not searched: the inbox');
    expect(err).toContain('--deep');
  });
});

describe('the words that are marked', () => {
  const marked = (queries: string[], text: string): string[] =>
    createWordFinder(queries)(text).map(({ start, end }) => text.slice(start, end));

  it('are those of the query, with other endings and accents, but not related ones', () => {
    const text = 'Boilers, décisions, deciding and “serviced”';
    expect(marked(['decision boiler', '"service"'], text)).toEqual(['Boilers', 'décisions', 'serviced']);
  });

  it('are not those of filters', () => {
    expect(marked(['tag:work boiler path:"old plans"'], 'the tag of the boiler: old plans')).toEqual([
      'boiler',
    ]);
  });
});
