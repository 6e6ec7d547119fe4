import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from './random-numbers.ts';
import { roomVault } from './room-vault.ts';
import type { RoomVault } from './room-vault.ts';
import { runCommand } from './run-command.ts';
import { sampleOf } from './sample-of.ts';
import { temporaryFolder, temporaryVault } from './temporary-vault.ts';
import type { Files } from './temporary-vault.ts';

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

type Request = { queries: string[]; scopes?: string[]; limit?: number };
type Found = {
  sections: { path: string; lines: { start: number; end: number }; matches: number[] }[];
  matched: { notes: number; lines: number };
  shown: { notes: number; lines: number };
  nextLimit: number | null;
};

async function searchWith(
  vault: Pick<RoomVault, 'call'>,
  request: Request,
): Promise<{ text: string; value: Found }> {
  const outcome = await vault.call('search', request);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return { text: outcome.result.text, value: outcome.result.value as unknown as Found };
}

function linesShown({ sections }: Found): Set<string> {
  return new Set(
    sections.flatMap(({ path, lines }) =>
      range(lines.end - lines.start + 1).map((line) => `${path}:${lines.start + line}`),
    ),
  );
}

/** The lines with one of these forms, found with a deliberately simple parser. */
function linesWith(files: Files, forms: RegExp): string[] {
  return Object.entries(files).flatMap(([path, text]) =>
    String(text)
      .split('\n')
      .flatMap((line, index) => (forms.test(line) ? [`vault/${path}:${index + 1}`] : [])),
  );
}

const notesOf = (lines: readonly string[]): string[] => [
  ...new Set(lines.map((line) => line.replace(/:\d+$/, ''))),
];

/** 120 notes about Zoé, in different spellings, among 300. */
const people: Files = Object.fromEntries(
  range(300).map((index) => {
    const name = ['Zoé', 'zoe', 'ZOÉ', 'Zoe\u0301', 'Zoélie'][index % 5] ?? '';
    const text = index % 5 === 4 ? 'No one came' : `Met ${name} at noon`;
    const more = index % 3 === 0 ? `\n\n${'Some words in between. '.repeat(60)}\n\nThen ${name} left.` : '';
    return [
      `notes/${index}.md`,
      `# Day ${index}\n\n${index < 150 ? text : 'Nothing'}.${index < 150 ? more : ''}\n`,
    ];
  }),
);
const zoe = /(?<!\p{L})zo(?:e|é|e\u0301)(?!\p{L}|\p{M})/iu;

describe('the number of matches', () => {
  it('is that of all notes and lines with the word, in any case and with any accents', async () => {
    const vault = await roomVault(people);
    const lines = linesWith(people, zoe);
    const notes = notesOf(lines);
    expect([notes.length, lines.length]).toEqual([120, 160]);
    for (const query of ['zoe', 'ZOÉ', 'Zoe\u0301']) {
      const { text, value } = await searchWith(vault, { queries: [query] });
      expect([query, value.matched]).toEqual([query, { notes: 120, lines: 160 }]);
      expect(text).toContain(
        `shown: ${value.shown.notes} of 120 matching notes, ${value.shown.lines} of 160 lines`,
      );
    }
  });

  it('counts a note that has all words, wherever they are, and its lines with one of them', async () => {
    const vault = await roomVault({
      'a.md': `# Boiler\n\n${'Filler line without end.\n'.repeat(400)}\nThe plumber.\n`,
      'b.md': '---\nplumber: Ada\n---\nThe boiler.\n',
      'c.md': 'The boiler only.\n',
      'd.md': 'The plumber only.\n',
      'boiler plumber.md': 'Only its name.\n',
    });
    const { value } = await searchWith(vault, { queries: ['boiler plumber'] });
    expect(value.matched).toEqual({ notes: 2, lines: 4 });
  });

  it('joins several queries, and respects scopes and excluded words', async () => {
    const vault = await roomVault({
      'a/1.md': 'boiler\nroof\n',
      'a/2.md': 'roof\n',
      'b/3.md': 'boiler draft\n',
      'b/4.md': 'boiler\n',
    });
    const matched = async (request: Request) => (await searchWith(vault, request)).value.matched;
    expect(await matched({ queries: ['boiler', 'roof'] })).toEqual({ notes: 4, lines: 5 });
    expect(await matched({ queries: ['boiler', 'roof'], scopes: ['a/'] })).toEqual({ notes: 2, lines: 3 });
    expect(await matched({ queries: ['boiler -draft'] })).toEqual({ notes: 2, lines: 2 });
  });

  it('includes what the transaction has staged', async () => {
    const vault = await roomVault({ 'a.md': 'boiler\n', 'b.md': 'boiler\n' });
    const run = vault.writeRun('person');
    const path = 'vault/b.md' as Parameters<typeof run.transaction.write>[0];
    run.transaction.write(path, Buffer.from('boiler\n'), Buffer.from('boiler\nboilers\n'));
    const found = await run.search({ queries: ['boiler'], mode: 'fast' });
    expect(found.kind === 'found' && found.matched).toEqual({ notes: 2, lines: 3 });
  });

  it('tells a model nothing about hidden notes', async () => {
    const vault = await roomVault({ 'a.md': 'boiler\n', 'secret/b.md': 'boiler salary\n#secret-tag\n' });
    const search = (query: string) =>
      vault.readRun('model').search({
        queries: [query],
        mode: 'fast',
        scopes: ['SECRET/'],
        isExcluded: (path) => path.startsWith('vault/secret/'),
      });
    const everywhere = await vault
      .readRun('model')
      .search({ queries: ['boiler'], mode: 'fast', isExcluded: (path) => path.startsWith('vault/secret/') });
    expect(everywhere.kind === 'found' && everywhere.matched).toEqual({ notes: 1, lines: 1 });
    const [known, unknown] = [await search('salary #secret-tag'), await search('wages #other-tag')];
    const told = (found: typeof known) => {
      if (found.kind !== 'found') throw new Error(found.reason);
      return [found.unknownWords, found.unmetFilters.length, found.unmatchedScopes, found.matched];
    };
    expect(told(known)).toEqual(told(unknown));
    expect(told(known)).toEqual([[], 1, [{ pattern: 'SECRET/', suggestion: null }], { notes: 0, lines: 0 }]);
  });

  it('does not count the words that a misspelled one is corrected to', async () => {
    const vault = await roomVault({ 'a.md': 'The plumber came.\n' });
    const { text, value } = await searchWith(vault, { queries: ['plumbar'] });
    expect(value.matched).toEqual({ notes: 0, lines: 0 });
    expect(value.sections).toHaveLength(1);
    expect(text).toContain('note: no note contains plumbar');
  });

  it.each(['profile.md', 'overview.md'])('does not deny a word that only %s contains', async (path) => {
    const { folder, state, keepsake, text } = await temporaryVault({
      'a.md': 'The plumber came.\n',
      [path]: '# Me\n\nI keep a qqzebra.\n',
    });
    const forModel = await text('search', { queries: ['qqzebra'] });
    await keepsake.close();
    const { out, err } = await runCommand(['find', 'qqzebra', '--vault', folder, '--state', state]);
    expect(out).toContain('I keep a qqzebra.');
    expect(`${forModel}${out}${err}`).not.toContain('no note contains');
  });

  it('names the matching lines of each passage', async () => {
    const vault = await roomVault({ 'a.md': 'one\nboiler\ntwo\nBoilers\n' });
    const { value } = await searchWith(vault, { queries: ['boiler'] });
    expect(value.sections.map(({ matches }) => matches)).toEqual([[2, 4]]);
  });
});

describe('find', () => {
  const find = async (args: string[], files: Files = people) => {
    const { folder, state, keepsake } = await temporaryVault(files);
    await keepsake.close();
    return runCommand(['find', ...args, '--vault', folder, '--state', state]);
  };

  it('lists the paths of all matching notes with --paths --all', async () => {
    const { code, out } = await find(['zoe', '--paths', '--all']);
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toEqual(notesOf(linesWith(people, zoe)).toSorted());
    const nothing = await find(['qqzzxxw', '--paths', '--all']);
    expect([nothing.code, nothing.out]).toEqual([1, '']);
  });

  it('says with --paths how many notes it leaves out', async () => {
    const { out, err } = await find(['zoe', '--paths']);
    const count = new Set(out.trim().split('\n')).size;
    expect(err).toContain(`note: ${count} of 120 matching notes; all: --all`);
  });

  it('shows every matching line with --all', async () => {
    const { out } = await find(['zoe', '--all', '--json']);
    const found = JSON.parse(out) as Found;
    const shown = linesShown(found);
    const lines = linesWith(people, zoe);
    expect(lines.filter((line) => !shown.has(line))).toEqual([]);
    expect(found.shown).toEqual({ notes: 120, lines: 160 });
  });

  it('shows all lines of a note with hundreds of them with --all', async () => {
    const files = {
      'log.md': range(700)
        .map((index) => `${index % 7 === 0 ? 'a wombat' : 'nothing'} ${index}`)
        .join('\n'),
    };
    const { out } = await find(['wombat', '--all', '--json', '--context', '0'], files);
    expect((JSON.parse(out) as Found).shown).toEqual({ notes: 1, lines: 100 });
  });

  it('shows matching properties besides the text of a note with --all', async () => {
    const files = { 'bucket/mail.md': `---\ntopic: wombat\n---\n\n${'Nothing.\n'.repeat(300)}\nA wombat.\n` };
    const { out } = await find(['wombat', '--all', '--json'], files);
    expect((JSON.parse(out) as Found).shown).toEqual({ notes: 1, lines: 2 });
  });

  it('shows the requested lines of context', async () => {
    const files = { 'a.md': `${range(200).join('\n')}\nwombat\n${range(200).join('\n')}` };
    for (const [context, lines] of [
      [0, 1],
      [5, 11],
    ] as const) {
      const { out } = await find(['wombat', '--context', String(context), '--json'], files);
      const [section] = (JSON.parse(out) as Found).sections;
      expect(section && section.lines.end - section.lines.start + 1).toBe(lines);
    }
  });

  it('refuses a limit that it cannot keep', async () => {
    const { code, err } = await find(['zoe', '--limit', '100']);
    expect([code, err]).toEqual([2, 'error: --limit is at most 50; --all shows all results\n']);
  });

  it('suggests the capitals of a scope that matches nothing', async () => {
    const files = { 'Travail/Réunions/a.md': 'boiler\n' };
    const { code, err } = await find(['boiler', '--paths', '--scope', 'travail/reunions/'], files);
    expect(code).toBe(1);
    expect(err).toContain('no files match scope travail/reunions/; did you mean Travail/Réunions/?');
  });
});

describe('the limit that a note recommends', () => {
  /** Random notes of every kind: lists, changelogs, long texts, short ones, with words of very different frequency. */
  function randomVault(random: () => number): Files {
    const word = (): string => `w${Math.floor(60 * random() ** 3)}`;
    const sentence = (): string =>
      range(3 + Math.floor(12 * random()))
        .map(word)
        .join(' ');
    const texts: ((index: number) => string)[] = [
      () => sentence(),
      () =>
        range(40)
          .map(() => `- ${sentence()}`)
          .join('\n'),
      (index) =>
        range(20)
          .map((day) => `# 2025-0${1 + (index % 9)}-${10 + day}\n\n## [w1] ${word()}\n${sentence()}`)
          .join('\n\n'),
      () =>
        range(12)
          .map(() => `${sentence()}. ${sentence()}. ${sentence()}.`)
          .join('\n\n'),
      () =>
        range(10)
          .map(() => `## ${word()} ${word()}\n\n${sentence()}\n\n${sentence()}`)
          .join('\n\n'),
    ];
    return Object.fromEntries(
      range(60).map((index) => {
        const kind = Math.floor(random() * texts.length);
        const folder = ['projects/a', 'projects/b', 'notes'][index % 3] ?? '';
        return [
          kind === 2 ? `${folder}/${index}/changelog.md` : `${folder}/${index}.md`,
          `${texts[kind]?.(index)}\n`,
        ];
      }),
    );
  }

  const seeds = range(10);
  it.each(sampleOf(seeds, 5))(
    'shows at least one new line, each time, in 50 random searches (seed %i)',
    { timeout: 240_000 },
    async (seed) => {
      const random = randomNumbers(seed + 1);
      const vault = await roomVault(randomVault(random));
      let followed = 0;
      for (const _ of range(50)) {
        const word = (): string => `w${Math.floor(60 * random() ** 2)}`;
        const query = (): string =>
          range(1 + Math.floor(3 * random()))
            .map(word)
            .join(' ');
        const request: Request = {
          queries: range(random() < 0.7 ? 1 : 3).map(query),
          ...(random() < 0.3 && { scopes: ['projects/*/*/changelog.md'] }),
          ...(random() < 0.4 && { limit: 1 + Math.floor(random() * 40) }),
        };
        let { text, value } = await searchWith(vault, request);
        for (;;) {
          const limit = /search again with limit (\d+)/.exec(text)?.[1];
          expect([request, limit]).toEqual([
            request,
            value.nextLimit === null ? undefined : String(value.nextLimit),
          ]);
          if (limit === undefined) break;
          const next = await searchWith(vault, { ...request, limit: Number(limit) });
          const before = linesShown(value);
          const isNew = [...linesShown(next.value)].some((line) => !before.has(line));
          expect([request, limit, isNew]).toEqual([request, limit, true]);
          ({ text, value } = next);
          followed += 1;
        }
      }
      expect(followed).toBeGreaterThan(30);
    },
  );

  it('leads to all entries of the demonstration that are decisions', async () => {
    const demo = 'packages/vault/demo/vault';
    const { out } = await runCommand([
      'find',
      '[décision]',
      '--scope',
      'projects/*/changelog.md',
      '--limit',
      '50',
      '--json',
      '--vault',
      demo,
      '--state',
      temporaryFolder(),
    ]);
    const shown = linesShown(JSON.parse(out) as Found);
    const { sections } = JSON.parse(out) as Found;
    const entries = notesOf([...shown]).flatMap((path) =>
      linesWith(
        { [path.slice(6)]: readFileSync(join('packages/vault/demo', path), 'utf8') },
        /^## \[décision\]/,
      ),
    );
    expect(new Set(sections.map(({ path }) => path)).size).toBeGreaterThan(5);
    expect(entries).toHaveLength(15);
    expect(entries.filter((line) => !shown.has(line))).toEqual([]);
  });

  it('counts entries, not blocks of adjacent entries', async () => {
    const entries = range(40).map(
      (index) => `# 2025-01-${10 + (index % 20)}\n\n## Wombat ${index}\n${'It was seen. '.repeat(4)}`,
    );
    const vault = await roomVault({ 'projects/a/changelog.md': `${entries.join('\n\n')}\n` });
    const { value } = await searchWith(vault, { queries: ['wombat'], limit: 3 });
    expect(linesShown(value).size).toBeLessThan(40);
    expect(value.shown.lines).toBeGreaterThanOrEqual(3);
  });
});

describe('a search that nothing fits', () => {
  const files: Files = Object.fromEntries(
    [
      'boiler and heating',
      'garden in spring',
      'piano lessons',
      'bicycle workshop',
      'tax return',
      'reading list',
    ].map((subject, index) => [
      `${index}.md`,
      `# ${subject}\n\nSomething was said about the ${subject}, on ${index + 1} different days of the year.\n`,
    ]),
  );

  it('says so in one line, and shows the nearest three', async () => {
    const vault = await roomVault(files);
    const { text, value } = await searchWith(vault, {
      queries: ['which different volcano erupted during the year of the comet'],
    });
    expect(text.split('\n')[0]).toBe('note: nothing fits; the nearest passages follow');
    expect(value).toMatchObject({ fits: false, nextLimit: null });
    expect(value.sections).toHaveLength(3);
  });

  it('is also one for a phrase that no note contains', async () => {
    const vault = await roomVault(files);
    const { value } = await searchWith(vault, { queries: ['"heating boiler"'] });
    expect(value).toMatchObject({ fits: false, matched: { notes: 0 } });
    expect(value.sections[0]?.path).toBe('vault/0.md');
    expect((await searchWith(vault, { queries: ['"BOILER and Heating"'] })).value).toMatchObject({
      fits: true,
      matched: { notes: 1 },
    });
  });
});

describe('filters in a query', () => {
  const files: Files = {
    'Work/Meeting.md':
      '---\nstatus: En cours\nauthor: [Marie Curie, Ada]\nyear: 2025\n---\n# Meeting\n\nThe boiler. #Maison/Cave\n',
    'Work/plan.md': '---\nstatus: done\ntags: [maison]\n---\nThe plan for the boiler.\n',
    'home/Été.md': 'A boiler at home, [status: en cours] in its text.\n',
    'home/other.md': 'Nothing. The maison without a tag, [décision] taken. Issue #12\n',
  };
  const paths = async (...queries: string[]): Promise<string[]> => {
    const vault = await roomVault(files);
    const { value } = await searchWith(vault, { queries });
    return [...new Set(value.sections.map(({ path }) => path.slice(6)))].toSorted();
  };

  it.each([
    ['tag:maison', ['Work/Meeting.md', 'Work/plan.md']],
    ['#MAISON', ['Work/Meeting.md', 'Work/plan.md']],
    ['tag:#maison/cave', ['Work/Meeting.md']],
    ['boiler tag:maison -tag:maison/cave', ['Work/plan.md']],
    ['path:work', ['Work/Meeting.md', 'Work/plan.md']],
    ['path:ete', ['home/Été.md']],
    ['boiler path:"work/meet"', ['Work/Meeting.md']],
    ['boiler -path:work', ['home/Été.md']],
    ['[status:en cours]', ['Work/Meeting.md']],
    ['[Status: "EN COURS"] boiler', ['Work/Meeting.md']],
    ['[author:marie]', ['Work/Meeting.md']],
    ['[author:ada] [year:2025]', ['Work/Meeting.md']],
    ['-[status:done] boiler', ['Work/Meeting.md', 'home/Été.md']],
    ['"maison cave" #maison', ['Work/Meeting.md']],
    ['"boiler at home"', ['home/Été.md']],
    ['"Boiler AT hôme"', ['home/Été.md']],
  ])('restrict the search: %s', async (query, expected) => {
    expect(await paths(query)).toEqual(expected);
  });

  it.each(['[décision]', '#12', '"#maison"'])('are not what only looks like one: %s', async (query) => {
    const vault = await roomVault(files);
    const { text, value } = await searchWith(vault, { queries: [query] });
    expect(value.matched.notes).toBeGreaterThan(0);
    expect(text).not.toContain('no note fits');
  });

  it.each([
    ['tag:boiler', 'note: no note fits tag:boiler; its words are searched'],
    ['path:boiler', 'note: no note fits path:boiler; its words are searched'],
    ['[boiler: home]', 'note: no note fits [boiler: home]; its words are searched'],
  ])('that no note fits are searched as words, and a note says so: %s', async (query, note) => {
    const vault = await roomVault(files);
    const { text, value } = await searchWith(vault, { queries: [query] });
    expect(text).toContain(note);
    expect(value.sections.length).toBeGreaterThan(0);
  });

  it('count all notes that fit them', async () => {
    const vault = await roomVault(
      Object.fromEntries(
        range(80).map((index) => [
          `n/${index}.md`,
          `Text ${index}\n\n${index % 2 === 0 ? '#even' : '#odd'}\n`,
        ]),
      ),
    );
    expect((await searchWith(vault, { queries: ['tag:even'] })).value.matched).toEqual({
      notes: 40,
      lines: 40,
    });
    expect((await searchWith(vault, { queries: ['path:n/1'] })).value.matched).toEqual({
      notes: 11,
      lines: 0,
    });
  });
});
