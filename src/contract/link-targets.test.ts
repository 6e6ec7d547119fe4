import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkTargets, joinPath, relativePath } from './link-targets.ts';
import { linksIn } from './markdown-links.ts';

const targets = createLinkTargets([
  'tasks.md',
  'projects/x/state.md',
  'projects/x/bucket/specs.md',
  'projects/x/bucket/shot.png',
  'projects/x/my note.md',
  'projects/x/my file.pdf',
  'projects/x/b.md',
  'projects/x/%E0%A4%A',
  'projects/y/a.md',
  'projects/y/state.md',
  'projects/y/old/Specs.md',
  'projects/y/old/specs.md',
]);
const leads = (text: string, from = 'projects/x/state.md'): (string | null)[] =>
  linksIn(text).map((link) => targets.find(link, from));

describe('links', () => {
  it.each([
    ['see [specs](bucket/specs.md)', ['projects/x/bucket/specs.md']],
    ['[a](../y/a.md#part) and [b](/tasks.md)', ['projects/y/a.md', 'tasks.md']],
    ['[a](<my%20note.md> "title")', ['projects/x/my note.md']],
    ['[a](<my file.pdf>) [b](my%20file.pdf)', ['projects/x/my file.pdf', 'projects/x/my file.pdf']],
    ['[a]: ./b.md', ['projects/x/b.md']],
    ['![shot](bucket/shot.png)', ['projects/x/bucket/shot.png']],
    ['[a](bucket/specs) [b](/projects/y/a)', ['projects/x/bucket/specs.md', 'projects/y/a.md']],
    ['[from the root](projects/y/a.md)', ['projects/y/a.md']],
    ['[[specs]] [[specs#part]]', ['projects/x/bucket/specs.md', 'projects/x/bucket/specs.md']],
    ['[[projects/y/state|State]]', ['projects/y/state.md']],
    ['[[vault/projects/y/state]] [[Y/State.MD]]', ['projects/y/state.md', 'projects/y/state.md']],
    ['![[SHOT.png]] [[shot]]', ['projects/x/bucket/shot.png', null]],
    ['[bad](%E0%A4%A)', ['projects/x/%E0%A4%A']],
    ['[up](../../../../tasks.md) [up](/../tasks.md) [folder](bucket) [case](B.md)', [null, null, null, null]],
    ['[gone](gone.md) [[gone]] [[ecs]]', [null, null, null]],
    ['[[/tasks]] [[/Projects/x/state.md]] [[/state]]', ['tasks.md', 'projects/x/state.md', null]],
    ['[up](..) [here](.) [folder](../x/)', [null, null, null]],
  ])('in %j lead to %j', (text, expected) => expect(leads(text)).toEqual(expected));

  it('by name mean the nearest file, and of equally near ones that of the same spelling', () => {
    expect(leads('[[state]]', 'projects/y/old/x.md')).toEqual(['projects/y/state.md']);
    expect(leads('[[specs]] [[Specs]]', 'projects/y/a.md')).toEqual([
      'projects/y/old/specs.md',
      'projects/y/old/Specs.md',
    ]);
  });

  it('by name mean one file, in whatever order the files come', () => {
    const paths = ['b/x.md', 'a/x.md', 'c/x.md'];
    for (const order of [paths, paths.toReversed()])
      expect(createLinkTargets(order).find({ kind: 'wiki', target: 'x' }, 'n.md')).toBe('a/x.md');
  });

  it('lead to a file whatever the form of its accents, and name it as it is called', () => {
    const [composed, decomposed] = ['café/é.md', 'café/é.md'].map((path, index) =>
      path.normalize(index === 0 ? 'NFC' : 'NFD'),
    );
    for (const path of [composed ?? '', decomposed ?? ''])
      for (const target of [composed, decomposed].map((each) => each?.slice(each.indexOf('/') + 1) ?? '')) {
        expect(createLinkTargets([path]).find({ kind: 'path', target }, path)).toBe(path);
        expect(createLinkTargets([path]).find({ kind: 'wiki', target }, path)).toBe(path);
      }
  });

  it('lead only from one file to the other where the root is somewhere else', () => {
    const below = createLinkTargets(['a.md', 'b/c.md'], { isRoot: false });
    const find = (target: string) => below.find({ kind: 'path', target }, 'b/c.md');
    expect(['../a.md', '/a.md', 'a.md', 'c'].map(find)).toEqual(['a.md', null, null, 'b/c.md']);
  });
});

describe('property: a relative path', () => {
  it('leads from one file to the other', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c d'), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, path, (from, to) => {
        expect(joinPath(from, relativePath(from, to))).toBe(to);
      }),
    );
  });
});
