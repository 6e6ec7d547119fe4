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

  const link = (target: string, anchor = '') => ({ kind: 'wiki' as const, target, anchor });

  it('by name may mean several files that are equally near, and then lead to none of them by chance', () => {
    const paths = ['b/x.md', 'a/x.md', 'c/d/x.md'];
    for (const order of [paths, paths.toReversed()]) {
      const found = createLinkTargets(order);
      expect(found.candidates(link('x'), 'n.md')).toEqual(['a/x.md', 'b/x.md']);
      expect(found.find(link('x'), 'n.md')).toBeNull();
      expect(found.find(link('x'), 'b/n.md')).toBe('b/x.md');
    }
  });

  it('by name mean the file in the same project before one outside that is as near', () => {
    const found = createLinkTargets(['projects/state.md', 'projects/x/deep/state.md', 'projects/y/state.md']);
    expect(found.find(link('state'), 'projects/x/note.md')).toBe('projects/x/deep/state.md');
  });

  it('by name mean the file whose whole path they name, of those that are as near', () => {
    const found = createLinkTargets(['state.md', 'projects/y/state.md']);
    expect(found.find(link('state'), 'projects/x/note.md')).toBe('state.md');
  });

  it('to a heading mean the only one of several files that has it', () => {
    const paths = ['a/x.md', 'b/x.md', 'c/x.md'];
    const found = createLinkTargets(paths, {
      hasAnchor: (path, anchor) =>
        anchor === '#Both' ? path !== 'c/x.md' : path === 'b/x.md' && anchor === '#Alerts',
    });
    expect(found.find(link('x', '#Alerts'), 'n.md')).toBe('b/x.md');
    expect(found.candidates(link('x', '#Both'), 'n.md')).toEqual(['a/x.md', 'b/x.md']);
    expect(found.candidates(link('x', '#None'), 'n.md')).toEqual(paths);
    // The nearest one is meant, whatever headings the others have.
    expect(found.find(link('x', '#Alerts'), 'a/n.md')).toBe('a/x.md');
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
