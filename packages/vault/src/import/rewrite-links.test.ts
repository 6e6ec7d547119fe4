import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolvePath, parseLinks } from '../contract/index.ts';
import { assignNames } from './assign-names.ts';
import { createLinkRewriter } from './rewrite-links.ts';

const name = fc
  .array(fc.constantFrom('a', 'B', 'é', ' ', '?', ':', '-', '(', ')', '%', '.', '&', 'con', '2'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '' && !/^[. ]|[. ]$/.test(text) && text !== '..');
const folder = fc.array(name, { maxLength: 2 }).map((parts) => parts.map((part) => `${part}/`).join(''));
const tree = fc.uniqueArray(
  fc
    .record({ folder, name, ending: fc.constantFrom('.md', '.md', '.png') })
    .map((parts) => `${parts.folder}${parts.name}${parts.ending}`),
  { minLength: 2, maxLength: 8 },
);

const relative = (from: string, to: string): string =>
  [
    ...from
      .split('/')
      .slice(1)
      .map(() => '..'),
    ...to.split('/'),
  ].join('/');
const encode = (path: string): string =>
  path
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replaceAll(/[()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
const inVault = (path: string): string => `bucket/${path}`;
const aims = (text: string, from: string): unknown[] =>
  parseLinks(text).map(({ target }) => resolvePath(from, target));

/** Excludes trees with a folder and a file of the same name. */
const possibleTree = tree.filter(
  (files) => !files.some((file) => files.some((other) => other.startsWith(`${file}/`))),
);
const named = (files: readonly string[]): Map<string, string> =>
  assignNames(
    files.map((path) => ({ id: path, path, isConverted: false })),
    { isNotion: false, known: new Map(), reservedNames: new Set() },
  );

describe('property: rewritten links', () => {
  it('point to the same file after it was renamed', () => {
    fc.assert(
      fc.property(possibleTree, (files) => {
        const targets = named(files);
        const rewrite = createLinkRewriter(targets);
        expect(new Set([...targets.values()].map((path) => path.toLowerCase())).size).toBe(files.length);
        for (const from of files.filter((path) => path.endsWith('.md')))
          for (const to of files) {
            const wanted = inVault(targets.get(to) ?? '');
            const encoded = rewrite(`[x](${encode(relative(from, to))}#part)\n`, from).text;
            const bracketed = rewrite(`[x](<${relative(from, to)}>)\n`, from).text;
            const place = inVault(targets.get(from) ?? '');
            expect(aims(encoded, place)).toEqual([wanted]);
            if (!/[%:]/.test(to)) expect(aims(bracketed, place)).toEqual([wanted]);
            if (targets.get(from) === from && targets.get(to) === to)
              expect(encoded).toBe(`[x](${encode(relative(from, to))}#part)\n`);
          }
      }),
    );
  });

  it('in wikilink form point to a file with the linked name', () => {
    fc.assert(
      fc.property(possibleTree, (files) => {
        const targets = named(files);
        const rewrite = createLinkRewriter(targets);
        for (const from of files.filter((path) => path.endsWith('.md')))
          for (const to of files) {
            const { text, references } = rewrite(`![[${to.replace(/\.md$/, '')}]]`, from);
            const link = /^!\[\[(.*)\]\]$/.exec(text)?.[1] ?? '';
            expect(references).toHaveLength(1);
            const aim = targets.get(references[0] ?? '') ?? '';
            expect(`/${aim}`.toLowerCase()).toMatch(new RegExp(`/${escape(link.toLowerCase())}(\\.md)?$`));
          }
      }),
    );
  });
});

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

describe('link rewriter', () => {
  const rewrite = createLinkRewriter(
    new Map([
      ['a.md', 'a.md'],
      ['b?.md', 'b.md'],
      ['sub/c:d.md', 'sub/c-d.md'],
      ['sub/pic?.png', 'sub/pic.png'],
      ['my file.pdf', 'my file-2.pdf'],
    ]),
  );
  const from = (text: string): string => rewrite(text, 'a.md').text;

  it.each([
    ['[[b?]]', '[[b|b?]]'],
    ['[[B?#part|shown]]', '[[b#part|shown]]'],
    ['| [[b?\\|shown]] |', '| [[b\\|shown]] |'],
    ['![[pic?.png|200]]', '![[pic.png|200]]'],
    ['[[sub/c:d]]', '[[sub/c-d|sub/c:d]]'],
    ['[x](b%3F.md "title")', '[x](b.md "title")'],
    ['[![alt](sub/pic%3F.png)](b%3F.md)', '[![alt](sub/pic.png)](b.md)'],
    ['[x]: <b?.md> "title"', '[x]: <b.md> "title"'],
    ['[a](<my file.pdf>)', '[a](<my file-2.pdf>)'],
    ['[a](my%20file.pdf)', '[a](my%20file-2.pdf)'],
    ['<img src="sub/pic?.png" width=10>', '<img src="sub/pic.png" width=10>'],
  ])('rewrites %s to %s', (before, after) => expect(from(before)).toBe(after));

  it.each([
    '[[nowhere?]]',
    '[x](https://example.org/b?.md)',
    '[x](#b?.md)',
    '`[[b?]]` and ``[x](b%3F.md)``',
    '```\n[[b?]]\n```',
    '~~~md\n[x](b%3F.md)\n~~~',
    '```\r\n[a](<my file.pdf>)\r\n```',
    '[a](my file.pdf)',
    '[x](../b%3F.md)',
    '[x](a.md)',
  ])('keeps %s', (text) => expect(from(text)).toBe(text));
});
