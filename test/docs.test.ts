import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareTranslation } from '../scripts/compare-translation.ts';
import { codeBlock, fillPage } from '../scripts/fill-page.ts';
import { countAddedEntries } from '../packages/vault/src/agents/update/changelog.ts';
import { setStatus } from '../packages/vault/src/agents/update/overview-status.ts';
import { chunkFile } from '../packages/vault/src/search/chunker.ts';
import { estimateTokens } from '../packages/vault/src/vault/frontmatter.ts';
import { parseVaultPath, defaultLayout } from '../packages/vault/src/vault/index.ts';
import { parseTaskFields } from '../packages/vault/src/contract/index.ts';
import { campaigns } from './campaigns/campaigns.ts';
import { buildPrograms } from './run-command.ts';
import { temporaryFolder } from './temporary-vault.ts';

/** Compares a copy of the documentation, modified by `change`, with the generated parts. */
function check(change: (folder: string) => void, variables: Record<string, string> = {}) {
  const folder = temporaryFolder();
  cpSync('docs', join(folder, 'docs'), { recursive: true });
  change(join(folder, 'docs'));
  return spawnSync(process.execPath, [resolve('scripts/docs.ts'), '--check'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...variables },
  });
}

function replaceIn(file: string, text: string, by: string): void {
  const page = readFileSync(file, 'utf8');
  expect(page).toContain(text);
  writeFileSync(file, page.replace(text, by));
}

describe('a translated page', () => {
  const original = '# A\n\n| Set (1,190) | .982 |\n| --- | --- |\n| `a` | 2.3 GB |\n\n## B\n';
  const translated = '# Un\n\n| Jeu (1 190) | 0,982 |\n| --- | --- |\n| `b` | 2,3 Go |\n\n## Deux\n';

  it('has the headings, tables and numbers of its original', () => {
    expect(compareTranslation(original, translated)).toEqual([]);
  });

  it.each([
    ['a number', translated.replace('0,982', '0,892'), 'line 3 (row 2 cells, numbers 0.892 1190)'],
    ['a row', translated.replace(/.*Go.*\n/, ''), 'line 6 (heading ##)'],
    ['a column', translated.replace('2,3 Go |', '2,3 Go | |'), 'line 5 (row 3 cells, numbers 2.3)'],
    ['a heading', translated.replace('## Deux\n', ''), 'the end'],
    [
      'an example',
      `${translated}<!-- generated: example tree {} -->\n`,
      'line 8 (<!-- generated: example tree {} -->)',
    ],
  ])('differs in %s', (_, page, found) => {
    expect(compareTranslation(original, page)).toEqual([expect.stringContaining(`${found} instead of `)]);
  });
});

describe('generated parts of a page', () => {
  const page = 'a\n<!-- generated: example read {"a": 1} -->\nold\n<!-- /generated -->\nb\n';

  it('are filled one after the other, and stay the same when nothing has changed', async () => {
    const asked: string[] = [];
    const produce = (kind: string, argument: string): Promise<string> => {
      asked.push(`${kind}: ${argument}`);
      return Promise.resolve(`new ${asked.length}`);
    };
    const filled = await fillPage(`${page}<!-- generated: parameters -->\n<!-- /generated -->\n`, produce);
    expect(filled).toBe(
      'a\n<!-- generated: example read {"a": 1} -->\n\nnew 1\n\n<!-- /generated -->\nb\n' +
        '<!-- generated: parameters -->\n\nnew 2\n\n<!-- /generated -->\n',
    );
    expect(asked).toEqual(['example: read {"a": 1}', 'parameters: ']);
    asked.length = 0;
    expect(await fillPage(filled, produce)).toBe(filled);
  });

  it.each([page.replace('<!-- /generated -->', ''), `<!-- generated: example x {} -->\n${page}`])(
    'are rejected if they are not closed: %j',
    async (open) => {
      await expect(fillPage(open, () => Promise.resolve(''))).rejects.toThrow('not closed');
    },
  );

  it('are fenced so that their content cannot end the block', () => {
    expect(codeBlock('text', 'plain')).toBe('```text\nplain\n```');
    expect(codeBlock('text', '````x\na\n````')).toBe('`````text\n````x\na\n````\n`````');
  });
});

describe('the documentation', () => {
  it('is the same on another machine, in another time zone and language, at any time and with other file times', () => {
    const { status, stderr } = check(() => undefined, { TZ: 'Pacific/Auckland', LANG: 'fr_FR.UTF-8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('may have examples and commands on any page, and fails the check when one is outdated', () => {
    const { status, stderr } = check((docs) => {
      replaceIn(join(docs, 'tools/read.md'), '(lines 30-33 of 33)', '(lines 30-33)');
      const marks = ['example tree {"depth": 0}', 'command tree --depth 0', 'unknown'];
      const [example, command, unknown] = marks.map(
        (mark) => `<!-- generated: ${mark} -->\n<!-- /generated -->\n`,
      );
      writeFileSync(join(docs, 'search.md'), example ?? '');
      writeFileSync(join(docs, 'vault.md'), command ?? '');
      writeFileSync(join(docs, 'zebra.md'), unknown ?? '');
    });
    for (const page of ['search.md', 'vault.md', 'tools/read.md'])
      expect(stderr).toContain(`docs/${page} is not up to date; run: npm run docs\n`);
    expect(stderr).toContain('docs/zebra.md: unknown generated kind unknown');
    expect(status).toBe(1);
  });
});

describe('the conventions in docs/vault.md', () => {
  const page = readFileSync('docs/vault.md', 'utf8');
  const rows = (heading: string): string[][] => {
    const [, part = ''] = page.split(`## ${heading}\n`);
    const lines = part.split('\n## ')[0]?.match(/^\| .*\|$/gm) ?? [];
    return lines.slice(2).map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  };

  it('state for each file whether it is searched', () => {
    const said = rows('What each file is for').map(([file = '', , , searched]) => [file, searched]);
    const done = said.map(([file = '']) => {
      const path = parseVaultPath(file.replaceAll('`', ''));
      return [file, path.ok && defaultLayout.isSearchable(path.path) ? 'yes' : 'no'];
    });
    expect(said).toEqual(done);
    expect(said.length).toBeGreaterThan(10);
  });

  it('name only known task keys', () => {
    const keys = rows('Tasks').flatMap(
      (cells) =>
        cells
          .slice(0, 2)
          .join(' ')
          .match(/(?<=`)[^`, ]+(?=`)/g) ?? [],
    );
    expect(keys.filter((key) => parseTaskFields(`${key}: x`) === null)).toEqual([]);
    expect(new Set(keys)).toContain('échéance');
    expect(parseTaskFields('colour: x')).toBeNull();
  });

  it('show frontmatter from the example vault', () => {
    const [, shown = ''] = /^```yaml\n([^]*?)```$/m.exec(page) ?? [];
    expect(shown).toContain('tokens: ');
    expect(readFileSync('docs/example-vault/projects/startup-x/state.md', 'utf8')).toContain(shown);
  });
});

describe('the example vault', () => {
  const folder = 'docs/example-vault';
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const notes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const sections = (name: string): ReturnType<typeof chunkFile> => {
    const path = parseVaultPath(name);
    return path.ok ? chunkFile(path.path, read(name), defaultLayout) : expect.unreachable(path.reason);
  };

  it.each(notes)('has correct stamps in %s', (name) => {
    const text = read(name);
    const [, tokens] = /^---\ncreated: \S+\nupdated: \S+\ntokens: (\d+)\n[^]*?---\n\n/.exec(text) ?? [];
    expect(Number(tokens)).toBe(estimateTokens(text));
  });

  it.each(['tasks.md', 'projects/startup-x/tasks.md'])(
    'has a metadata line below each task in %s',
    (name) => {
      const tasks = sections(name);
      expect(tasks).toHaveLength(2);
      for (const { body } of tasks) {
        const [heading = '', line = ''] = body.trimStart().split('\n');
        expect(heading).toMatch(/^# /);
        expect(parseTaskFields(line)?.map(({ key }) => key)).toEqual(['status', 'prio', 'ajoutée', 'projet']);
      }
    },
  );

  it.each(['changelog.md', 'projects/startup-x/changelog.md'])(
    'has days and entries, newest first, in %s',
    (name) => {
      const days = sections(name).map(({ date }) => date ?? expect.unreachable('a day without a date'));
      expect(days.length).toBeGreaterThan(1);
      expect(days).toEqual(days.toSorted().toReversed());
      expect(countAddedEntries('', read(name))).toBeGreaterThanOrEqual(days.length);
      expect(read(name)).toMatch(/^## \[décision\] /m);
    },
  );

  it('has the status block that the code would write', () => {
    const items = readdirSync(join(folder, 'inbox')).filter((item) => read(`inbox/${item}/review.md`) !== '');
    expect(setStatus(read('overview.md'), '2025-07-14', items.length)).toBe(read('overview.md'));
  });
});

describe('the threat model', () => {
  const page = readFileSync('docs/threat-model.md', 'utf8');

  it('names existing tests', () => {
    const named = [...page.matchAll(/`((?:packages|test)\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('refers only to test campaigns that exist', () => {
    const named = new Set([...page.matchAll(/\*campaign (\w+)\*/g)].map(([, name = '']) => name));
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !Object.hasOwn(campaigns, name))).toEqual([]);
  });

  it('names a test for the claim in every row', () => {
    const holds = page.slice(page.indexOf('## What holds'), page.indexOf('## What does not hold'));
    const rows = holds.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:Claim|---)/.test(line));
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => !/\| [^|]*[`*][^|]*\|$/.test(row))).toEqual([]);
  });
});

describe('the documented commands', () => {
  /** The command lines of a page, in blocks and in sentences, without shell syntax. */
  const commandsIn = (page: string): string[][] =>
    [...readFileSync(page, 'utf8').matchAll(/(?:^|&& |\$ |`)(keepsake(?:-\w+)? [^\n`]+)/gm)]
      .map(([, line = '']) => line.split(/ #|\||&&|;|<<<| > /)[0] ?? '')
      .map((line) =>
        line
          .replaceAll(/"[^"]*"|'[^']*'/g, 'x')
          .trim()
          .split(/\s+/),
      );
  const pages = [
    'README.md',
    ...globSync(
      '{README.fr,docs/{*,fr/*,fr/tools/*,tools/*,use/*,connect/*,operate/*},packages/*/README}.md',
    ),
  ].filter((page) => page !== 'docs/reference/commands.md');

  it('exist, with the options that are shown', async () => {
    const programs = await buildPrograms();
    let shown = 0;
    const wrong: string[] = [];
    for (const page of pages)
      for (const [name, ...words] of commandsIn(page)) {
        const program = programs.find((each) => each.name() === name);
        if (program === undefined) throw new Error(`${page}: unknown program ${name}`);
        let command = program;
        const options = ['--help', '--version'];
        for (const word of words) {
          const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
          if (next === undefined) break;
          command = next;
          options.push(...command.options.flatMap(({ long, short }) => [long ?? '', short ?? '']));
        }
        shown += 1;
        const unknown = words
          .filter((word) => word.startsWith('-') && word !== '-')
          .filter((word) => !options.includes(word.split('=')[0] ?? ''));
        const isCommand = command !== program || ['--help', 'help'].includes(words[0] ?? '');
        if (!isCommand || unknown.length > 0)
          wrong.push(`${page}: ${name} ${words.join(' ')}: ${unknown.join(', ')}`);
      }
    expect(wrong).toEqual([]);
    expect(shown).toBeGreaterThan(100);
  });
});
