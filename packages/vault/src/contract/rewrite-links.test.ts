import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkResolver, lastSegment, relativePath } from './link-resolver.ts';
import { parseLinks } from './markdown-links.ts';
import { rewriteLinks } from './rewrite-links.ts';

const moving = (moves: Record<string, string>, others: readonly string[] = []) => ({
  destinations: new Map(Object.entries(moves)),
  before: createLinkResolver([...Object.keys(moves), ...others]),
  after: createLinkResolver([...Object.values(moves), ...others]),
});

describe('links of a moved note', () => {
  const moves = moving(
    {
      'inbox/x/note.md': 'projects/shop/note.md',
      'inbox/x/my file.pdf': 'projects/shop/bucket/my file.pdf',
      'inbox/x/plan.png': 'projects/shop/bucket/plan-2.png',
      'inbox/x/other.md': 'projects/shop/other.md',
      'inbox/x/shot.png': 'projects/shop/bucket/shot.png',
    },
    ['projects/shop/plan.png', 'projects/shop/shot.png', 'inbox/y/b.png'],
  );

  it.each([
    ['[a](<my file.pdf>)', '[a](<bucket/my file.pdf>)'],
    ['[a](my%20file.pdf#page=2)', '[a](bucket/my%20file.pdf#page=2)'],
    ['![a](plan.png) ![[plan.png|200]]', '![a](bucket/plan-2.png) ![[plan-2.png|200]]'],
    // Another file of that name is nearer to the new location.
    ['![[shot.png]]', '![[projects/shop/bucket/shot.png]]'],
    ['[a](/inbox/x/my%20file.pdf)', '[a](/projects/shop/bucket/my%20file.pdf)'],
    ['[a](inbox/x/plan.png)', '[a](projects/shop/bucket/plan-2.png)'],
    ['[a](./plan.png) [b](../y/b.png)', '[a](./bucket/plan-2.png) [b](../../inbox/y/b.png)'],
  ])('follow files that were moved with it: %s becomes %s', (before, after) =>
    expect(rewriteLinks(before, 'inbox/x/note.md', moves).text).toBe(after),
  );

  it.each([
    '[a](other.md) [[other]] [[my file.pdf]]',
    '[a](gone.pdf)',
    '`[a](plan.png)`',
    '[a](../../nowhere.md)',
  ])('stay unchanged when they still resolve or point elsewhere: %s', (text) =>
    expect(rewriteLinks(text, 'inbox/x/note.md', moves).text).toBe(text),
  );

  it('are returned as references if they resolve to a file', () => {
    const text = '[a](<my file.pdf>) [[Other]] [[gone]] `[[note]]`';
    expect(rewriteLinks(text, 'inbox/x/note.md', moves).references).toEqual([
      'inbox/x/my file.pdf',
      'inbox/x/other.md',
    ]);
  });
});

describe('rewriteLinks', () => {
  const becomes = (text: string, moves: ReturnType<typeof moving>, note = 'n.md') =>
    rewriteLinks(text, note, moves);

  it.each([
    ['[[a]] ![[a#part]]', '[[b|a]] ![[b#part]]'],
    ['[[a|shown]] [[a#part|shown]]', '[[b|shown]] [[b#part|shown]]'],
    ['[[b|a]] [[a.md]]', '[[b|a]] [[b.md|a.md]]'],
    ['| [[a]] | [[p/a\\|x]] |', '| [[b\\|a]] | [[q/b\\|x]] |'],
    ['[x](p/a "title") [x](<p/a.md>)', '[x](q/b "title") [x](<q/b.md>)'],
    ['[x]: p/a.md#part', '[x]: q/b.md#part'],
    ['<img src="p/a.md">', '<img src="q/b.md">'],
  ])('updates links to a renamed note: %s becomes %s', (before, after) =>
    expect(becomes(before, moving({ 'p/a.md': 'q/b.md' })).text).toBe(after),
  );

  it('restores the original link when the file moves back', () => {
    const text = '[[a]] [[a|x]] ![[a]] [x](p/a.md)';
    const forth = becomes(text, moving({ 'p/a.md': 'q/b.md' })).text;
    expect(becomes(forth, moving({ 'q/b.md': 'p/a.md' })).text).toBe(text);
  });

  it('keeps a link pointing at its file when moving another file or the note itself would change its target', () => {
    const moves = moving({ 'far/x.md': 'p/a.md', 'q/n.md': 'p/n.md' }, ['q/a.md', 'n.md']);
    expect(becomes('[[a]] [x](a.md)', moves, 'q/n.md')).toMatchObject({
      text: '[[q/a|a]] [x](../q/a.md)',
      rewritten: 2,
    });
    expect(becomes('[[a]]', moves).text).toBe('[[q/a|a]]');
  });

  it('disambiguates a link to a root file from files of the same name', () => {
    const moves = moving({ 'p/old.md': 'p/tasks.md' }, ['tasks.md', 'p/n.md']);
    expect(becomes('[[tasks]]', moves, 'p/n.md').text).toBe('[[/tasks|tasks]]');
  });

  it('replaces a wikilink with a path link when the new name is invalid in a wikilink', () => {
    const moves = moving({ 'a.md': 'p/c# [1].md', 'i.png': 'p/i^2.png' });
    expect(becomes('[[a]] [[a^b|shown]] ![[i.png|200]]', moves).text).toBe(
      '[a](p/c%23%20[1].md) [shown](p/c%23%20[1].md#^b) ![200](p/i^2.png)',
    );
  });
});

describe('property: rewriteLinks', () => {
  const name = fc.constantFrom('a', 'A', 'b c', 'é', 'd(1)', '50%', 'x#y', '[z]', 'a.md', 'it^s', 'vault');
  const path = fc
    .tuple(
      fc.array(fc.constantFrom('f', 'F', 'g h', 'a'), { maxLength: 3 }),
      name,
      fc.constantFrom('.md', '.png', ''),
    )
    .map(([folders, last, ending]) => [...folders, last + ending].join('/'));
  const isPossible = (files: readonly string[]): boolean =>
    !files.some((file) => files.some((other) => other.startsWith(`${file}/`)));
  const vault = fc
    .uniqueArray(path, { minLength: 2, maxLength: 6 })
    .filter(isPossible)
    .chain((files) =>
      fc.record({
        files: fc.constant(files),
        others: fc.uniqueArray(path, { maxLength: 4 }).filter((more) => isPossible([...files, ...more])),
      }),
    );
  const encode = (target: string): string => encodeURI(target).replaceAll(/[()#?]/g, encodeURIComponent);
  const forms: ((to: string, from: string) => string)[] = [
    (to) => `[[${to}]]`,
    (to) => `[[${lastSegment(to).replace(/\.md$/, '')}]]`,
    (to) => `![[${lastSegment(to).toUpperCase()}|200]]`,
    (to) => `[[/${to}#part|shown]]`,
    (to, from) => `[x](<${relativePath(from, to)}> "title")`,
    (to, from) => `[x](${encode(relativePath(from, to))}#part)`,
    (to, from) => `[x](./${encode(relativePath(from, to).replace(/\.md$/, ''))})`,
    (to) => `[x](/${encode(to)})`,
    (to) => `[x](${encode(to)})`,
    (to) => `<img src="${encode(to)}">`,
  ];

  it('keeps every link pointing at its file after any set of moves', () => {
    fc.assert(
      fc.property(vault, ({ files, others }) => {
        // Moves as many files as there are free paths; the rest stay.
        const free = others.filter((each) => !files.includes(each));
        const gone = files.slice(0, free.length);
        const stay = files.slice(free.length);
        const to = new Map(gone.map((file, index) => [file, free[index] ?? file]));
        const moves = moving(Object.fromEntries(to), stay);
        for (const note of files) {
          const text = files.flatMap((file) => forms.map((form) => form(file, note))).join('\n');
          const now = rewriteLinks(text, note, moves).text;
          const [had, has] = [parseLinks(text), parseLinks(now)];
          expect(has.length).toBe(had.length);
          const wrong = had.flatMap((link, index) => {
            const aim = moves.before.resolve(link, note);
            const found = moves.after.resolve(has[index] ?? link, to.get(note) ?? note);
            return aim === null || found === (to.get(aim) ?? aim)
              ? []
              : [{ link, now: has[index], aim, found }];
          });
          expect(wrong).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('property: links to files that are not moved', () => {
  const name = fc.constantFrom('a', 'A', 'b c', 'é', 'd(1)', '50%', 'x#y', 'e?');
  const path = fc.tuple(
    fc.array(fc.constantFrom('f', 'g h'), { maxLength: 2 }),
    name,
    fc.constantFrom('.md', '.png', ''),
  );
  const paths = fc.array(
    path.map(([folders, last, ending]) => [...folders, last + ending].join('/')),
    { minLength: 1 },
  );
  const piece = fc.oneof(
    name,
    fc.constantFrom(
      '[',
      '](',
      '](<',
      '>)',
      ')',
      '[[',
      ']]',
      '![[',
      '|',
      '#',
      '/',
      '../',
      '.md',
      '%20',
      '\n',
      '`',
      '[a]: ',
      'src="',
      '"',
      ' ',
    ),
  );
  const link = fc.tuple(
    fc.constantFrom('[[', '[a](', '[a](<', '[a]: '),
    path,
    fc.constantFrom(']]', ')', '>)', ''),
  );
  const text = fc
    .array(
      fc.oneof(
        piece,
        link.map(
          ([open, [folders, last, ending], close]) => open + [...folders, last + ending].join('/') + close,
        ),
      ),
    )
    .map((parts) => parts.join(''));

  it('are unchanged', () => {
    fc.assert(
      fc.property(paths, text, (files, before) => {
        const moves = moving(Object.fromEntries(files.map((file) => [file, file])));
        for (const note of files.slice(0, 3)) expect(rewriteLinks(before, note, moves).text).toBe(before);
      }),
      { numRuns: 1000 },
    );
  });
});
