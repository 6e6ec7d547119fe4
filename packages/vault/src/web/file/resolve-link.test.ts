import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { describe, expect, it } from 'vitest';
import { createLinkTargets, linksIn } from '../../contract/index.ts';
import { buildTree } from '../tree/build-tree.ts';
import { parseNote } from './parse-note.ts';
import { resolveLink, resolveWikilink } from './resolve-link.ts';

const from = 'p/a.md';
const paths = ['p/a.md', 'p/b.md', 'p/my file.pdf', 'p/c(1).md', 'p/x.png', 'q/b.md', 'q/d?.md', 'tasks.md'];
const tree = buildTree(
  ['vault/p/', 'vault/q/', ...paths.map((path) => `vault/${path}`)].map((path) => ({
    path,
    kind: path.endsWith('/') ? ('folder' as const) : ('file' as const),
    tokens: 1,
    updated: null,
  })),
);

/** The note as the browser makes it, with what it finds in links. */
function render(text: string): { html: string; leads: string[] } {
  const leads: string[] = [];
  const add = (target: ReturnType<typeof resolveLink>): void =>
    void (target.kind === 'file' && leads.push(target.path));
  const words = { footnotes: '', callouts: {} };
  const { chunks } = parseNote({ body: text, skipped: 0, isPlain: true, words });
  const html = renderToStaticMarkup(
    toJsxRuntime(
      { type: 'root', children: chunks.flatMap((chunk) => chunk.children) },
      {
        Fragment,
        jsx,
        jsxs,
        components: {
          a: ({ href, children, ...rest }) => {
            const wiki = (rest as { 'data-wiki'?: string })['data-wiki'];
            add(wiki === undefined ? resolveLink(href ?? '', from, tree) : resolveWikilink(wiki, from, tree));
            return createElement('a', { href: wiki ?? href }, children);
          },
          img: ({ src, alt, width, ...rest }) => {
            const wiki = (rest as { 'data-wiki'?: string })['data-wiki'];
            add(
              wiki === undefined ? resolveLink(String(src), from, tree) : resolveWikilink(wiki, from, tree),
            );
            return createElement('img', { alt, width });
          },
        },
      },
    ),
  );
  return { html, leads };
}

describe('a link in the browser', () => {
  it.each([
    ['[a](<my file.pdf>)', ['p/my file.pdf']],
    ['[a](my%20file.pdf "title") ![x](<x.png>)', ['p/my file.pdf', 'p/x.png']],
    ['[a][b]\n\n[b]: <my file.pdf> "title"', ['p/my file.pdf']],
    ['[a](c(1).md) [b](c\\(1\\).md)', ['p/c(1).md', 'p/c(1).md']],
    [
      '[a](b) [b](/q/b.md#part) [c](tasks.md) [d](../q/d?.md) [e](../q/d%3F.md)',
      ['p/b.md', 'q/b.md', 'tasks.md', 'q/d?.md', 'q/d?.md'],
    ],
    ['[[b]] [[q/b|label]] [[B#part]] ![[X.png|200]]', ['p/b.md', 'q/b.md', 'p/b.md', 'p/x.png']],
    ['`[a](b.md)` `[[b]]`\n\n```\n[[b]]\n[a](b.md)\n```', []],
    ['[a](my file.pdf) [out](https://x.org) [up](../../b.md) [here](#b.md) [gone](gone.md)', []],
  ])('%j leads to %j, as it does for everybody else', (text, expected) => {
    const targets = createLinkTargets(paths);
    expect(linksIn(text).flatMap((link) => targets.find(link, from) ?? [])).toEqual(expected);
    expect(render(text).leads).toEqual(expected);
  });

  it('may have a query, which is left out where no name has it', () => {
    expect(resolveLink('x.png?raw=true', from, tree)).toEqual({ kind: 'file', path: 'p/x.png', hash: '' });
    expect(resolveLink('x.png?raw=true#a', from, undefined)).toEqual({
      kind: 'file',
      path: 'p/x.png',
      hash: 'a',
    });
  });

  it('by name is shown by its label, and a picture that is embedded as wide as it says', () => {
    expect(render('See [[b|label]], [[b#part]], [[#here]] and ![[x.png|200]].').html).toBe(
      '<p>See <a href="b">label</a>, <a href="b#part">b#part</a>, <a href="#here">#here</a> and <img alt="x.png" width="200"/>.</p>',
    );
    expect(render('See ![[b]]').html).toBe('<p>See <a href="b">b</a></p>');
    expect(resolveWikilink('#here', from, tree)).toEqual({ kind: 'here', hash: 'here' });
    expect(resolveWikilink('vault/q/b#x', from, tree)).toEqual({ kind: 'file', path: 'q/b.md', hash: 'x' });
    expect(resolveWikilink('vault/new', from, tree)).toEqual({ kind: 'missing', path: 'new.md' });
  });
});
