import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkTargets } from './link-targets.ts';
import { rewriteLinks } from './rewrite-links.ts';

const moving = (moves: Record<string, string>, others: readonly string[] = []) => ({
  to: new Map(Object.entries(moves)),
  before: createLinkTargets([...Object.keys(moves), ...others]),
  after: createLinkTargets([...Object.values(moves), ...others]),
});

describe('the links of a note that was moved', () => {
  const moves = moving(
    {
      'inbox/x/note.md': 'projects/shop/note.md',
      'inbox/x/my file.pdf': 'projects/shop/bucket/my file.pdf',
      'inbox/x/plan.png': 'projects/shop/bucket/plan-2.png',
      'inbox/x/other.md': 'projects/shop/other.md',
      'inbox/x/shot.png': 'projects/shop/bucket/shot.png',
    },
    ['projects/shop/plan.png', 'projects/shop/shot.png'],
  );

  it.each([
    ['[a](<my file.pdf>)', '[a](<bucket/my file.pdf>)'],
    ['[a](my%20file.pdf#page=2)', '[a](bucket/my%20file.pdf#page=2)'],
    ['![a](plan.png) ![[plan.png|200]]', '![a](bucket/plan-2.png) ![[plan-2.png|200]]'],
    // Another file of that name is nearer there.
    ['![[shot.png]]', '![[projects/shop/bucket/shot.png]]'],
    ['[a](/inbox/x/my%20file.pdf)', '[a](bucket/my%20file.pdf)'],
  ])('lead to what was moved with it: %s becomes %s', (before, after) =>
    expect(rewriteLinks(before, 'inbox/x/note.md', moves).text).toBe(after),
  );

  it.each([
    '[a](other.md) [[other]] [[my file.pdf]]',
    '[a](gone.pdf)',
    '`[a](plan.png)`',
    '[a](../../tasks.md)',
  ])('stay as they are where they lead there anyway, or to something else: %s', (text) =>
    expect(rewriteLinks(text, 'inbox/x/note.md', moves).text).toBe(text),
  );

  it('are told', () => {
    const text = '[a](<my file.pdf>) [[Other]] [[gone]] `[[note]]`';
    expect(rewriteLinks(text, 'inbox/x/note.md', moves).referred).toEqual([
      'inbox/x/my file.pdf',
      'inbox/x/other.md',
    ]);
  });
});

describe('property: links to files that stay where they are', () => {
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

  it('are not touched', () => {
    fc.assert(
      fc.property(paths, text, (files, before) => {
        const moves = moving(Object.fromEntries(files.map((file) => [file, file])));
        for (const note of files.slice(0, 3)) expect(rewriteLinks(before, note, moves).text).toBe(before);
      }),
      { numRuns: 1000 },
    );
  });
});
