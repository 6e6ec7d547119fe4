import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { describe, expect, it } from 'vitest';
import { createLinkResolver, parseLinks } from '../../contract/index.ts';
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

/** Renders a note as the browser does, and collects the files that its links lead to. */
function render(text: string): { html: string; leads: string[] } {
  const leads: string[] = [];
  const add = (target: ReturnType<typeof resolveLink>): void =>
    void (target.kind === 'file' && leads.push(target.path));
  const labels = { footnotes: '', callouts: {} };
  const { blocks } = parseNote({ body: text, lineOffset: 0, isPlain: true, labels });
  const html = renderToStaticMarkup(
    toJsxRuntime(
      { type: 'root', children: blocks.flatMap((block) => block.children) },
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

describe('links in the browser', () => {
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
  ])('in %j lead to %j, as on the server', (text, expected) => {
    const targets = createLinkResolver(paths);
    expect(parseLinks(text).flatMap((link) => targets.resolve(link, from) ?? [])).toEqual(expected);
    expect(render(text).leads).toEqual(expected);
  });

  it('ignore a query string unless it is part of a file name', () => {
    expect(resolveLink('x.png?raw=true', from, tree)).toEqual({ kind: 'file', path: 'p/x.png', hash: '' });
    expect(resolveLink('x.png?raw=true#a', from, undefined)).toEqual({
      kind: 'file',
      path: 'p/x.png',
      hash: 'a',
    });
  });

  it('are rendered with their label, and embedded images with their width', () => {
    expect(render('See [[b|label]], [[b#part]], [[#here]] and ![[x.png|200]].').html).toBe(
      '<p>See <a href="b">label</a>, <a href="b#part">b#part</a>, <a href="#here">#here</a> and <img alt="x.png" width="200"/>.</p>',
    );
    expect(render('See ![[b]]').html).toBe('<p>See <a href="b">b</a></p>');
    expect(resolveWikilink('#here', from, tree)).toEqual({ kind: 'here', hash: 'here' });
    expect(resolveWikilink('vault/q/b#x', from, tree)).toEqual({ kind: 'file', path: 'q/b.md', hash: 'x' });
    expect(resolveWikilink('vault/new', from, tree)).toEqual({ kind: 'missing', path: 'new.md' });
  });
});
