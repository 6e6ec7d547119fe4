import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkResolver, resolvePath, relativePath } from './link-resolver.ts';
import { parseLinks } from './markdown-links.ts';

const targets = createLinkResolver([
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
  parseLinks(text).map((link) => targets.resolve(link, from));

describe('link resolver', () => {
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
  ])('resolves the links of %j to %j', (text, expected) => expect(leads(text)).toEqual(expected));

  it('resolves a wikilink to the nearest file, and among equally near files to the one with the same case', () => {
    expect(leads('[[state]]', 'projects/y/old/x.md')).toEqual(['projects/y/state.md']);
    expect(leads('[[specs]] [[Specs]]', 'projects/y/a.md')).toEqual([
      'projects/y/old/specs.md',
      'projects/y/old/Specs.md',
    ]);
  });

  const link = (target: string, anchor = '') => ({ kind: 'wiki' as const, target, anchor });

  it('leaves a wikilink to several equally near files unresolved', () => {
    const paths = ['b/x.md', 'a/x.md', 'c/d/x.md'];
    for (const order of [paths, paths.toReversed()]) {
      const found = createLinkResolver(order);
      expect(found.candidates(link('x'), 'n.md')).toEqual(['a/x.md', 'b/x.md']);
      expect(found.resolve(link('x'), 'n.md')).toBeNull();
      expect(found.resolve(link('x'), 'b/n.md')).toBe('b/x.md');
    }
  });

  it('prefers a file in the same project to an equally near one outside it', () => {
    const found = createLinkResolver([
      'projects/state.md',
      'projects/x/deep/state.md',
      'projects/y/state.md',
    ]);
    expect(found.resolve(link('state'), 'projects/x/note.md')).toBe('projects/x/deep/state.md');
  });

  it('prefers a file whose whole path the wikilink names', () => {
    const found = createLinkResolver(['state.md', 'projects/y/state.md']);
    expect(found.resolve(link('state'), 'projects/x/note.md')).toBe('state.md');
  });

  it('resolves a link with an anchor to the only file that has the anchor', () => {
    const paths = ['a/x.md', 'b/x.md', 'c/x.md'];
    const found = createLinkResolver(paths, {
      hasAnchor: (path, anchor) =>
        anchor === '#Both' ? path !== 'c/x.md' : path === 'b/x.md' && anchor === '#Alerts',
    });
    expect(found.resolve(link('x', '#Alerts'), 'n.md')).toBe('b/x.md');
    expect(found.candidates(link('x', '#Both'), 'n.md')).toEqual(['a/x.md', 'b/x.md']);
    expect(found.candidates(link('x', '#None'), 'n.md')).toEqual(paths);
    // The nearest file wins, regardless of the headings of the others.
    expect(found.resolve(link('x', '#Alerts'), 'a/n.md')).toBe('a/x.md');
  });

  it('matches names in any Unicode normalization form and returns the name on disk', () => {
    const [composed, decomposed] = ['café/é.md', 'café/é.md'].map((path, index) =>
      path.normalize(index === 0 ? 'NFC' : 'NFD'),
    );
    for (const path of [composed ?? '', decomposed ?? ''])
      for (const target of [composed, decomposed].map((each) => each?.slice(each.indexOf('/') + 1) ?? '')) {
        expect(createLinkResolver([path]).resolve({ kind: 'path', target }, path)).toBe(path);
        expect(createLinkResolver([path]).resolve({ kind: 'wiki', target }, path)).toBe(path);
      }
  });

  it('resolves only relative links when the root is unknown', () => {
    const below = createLinkResolver(['a.md', 'b/c.md'], { allowsRootPaths: false });
    const find = (target: string) => below.resolve({ kind: 'path', target }, 'b/c.md');
    expect(['../a.md', '/a.md', 'a.md', 'c'].map(find)).toEqual(['a.md', null, null, 'b/c.md']);
  });
});

describe('property: relativePath', () => {
  it('returns a path that resolves back to the target', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c d'), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, path, (from, to) => {
        expect(resolvePath(from, relativePath(from, to))).toBe(to);
      }),
    );
  });
});
