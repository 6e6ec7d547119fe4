import rehypeRaw from 'rehype-raw';
import { unified } from 'unified';
import { expect, it } from 'vitest';
import { hostileNotes } from '../../../../../test/web/hostile-notes.ts';
import { sampleOf } from '../../../../../test/sample-of.ts';
import type { Element, Root } from '../../web/index.ts';
import { renderNoteHtml } from './note-html.ts';
import { createNoteRenderer } from './render-in-worker.ts';

const request = { path: 'a/note.md', files: ['a/x.png'], language: 'en', at: 0 } as const;
const image = { bytes: Buffer.from('<script>'), mediaType: 'image/png' };

/** The elements of a page after its head, as a browser parses them. */
function elementsOf(page: string): Element[] {
  const root = { type: 'root', children: [{ type: 'raw', value: page }] };
  const parsed = unified()
    .use(rehypeRaw)
    .runSync(root as never) as unknown as Root;
  const below = ({ children }: Root | Element): Element[] =>
    children.flatMap((child) => (child.type === 'element' ? [child, ...below(child)] : []));
  const all = below(parsed);
  const start = all.findIndex(({ tagName }) => tagName === 'main');
  expect(all.slice(0, start).map(({ tagName }) => tagName)).toEqual([
    'meta',
    'meta',
    'meta',
    'title',
    'style',
  ]);
  return all.slice(start);
}

const forbiddenTag =
  /^(?:script|iframe|object|embed|link|style|meta|base|form|button|video|audio|svg|template|noscript|picture|source)$/;
const forbiddenName = /^(?:on.*|style|srcSet|action|formAction|background|poster)$/i;

it('contains no scripts, handlers, styles, forms or resources of other sites, whatever the note is', async () => {
  const described = (text: string): string => `![${text.replaceAll(/[[\]\n]/g, ' ')}](x.png)\n`;
  const notes = sampleOf(hostileNotes(), 6).flatMap((text) => [text, described(text)]);
  expect(notes.length).toBeGreaterThan(40);
  for (const text of notes)
    for (const shown of [image, null])
      for (const { tagName, properties } of elementsOf(
        await renderNoteHtml({ ...request, text }, async () => shown),
      )) {
        const { src = 'data:image/png;', href = '#' } = properties;
        const isForbidden =
          forbiddenTag.test(tagName) ||
          Object.keys(properties).some((name) => forbiddenName.test(name)) ||
          !src.startsWith('data:image/png;') ||
          !/^(?:https?:|mailto:|#)/i.test(href);
        expect([text, tagName, properties, isForbidden]).toEqual([text, tagName, properties, false]);
      }
});

it('has a policy by which nothing but its style and its own images is loaded', async () => {
  const page = await renderNoteHtml({ ...request, text: '# A\n' }, async () => null);
  expect(page.replaceAll('&#x27;', "'")).toMatch(
    /^<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'">/,
  );
});

it('embeds images up to 10 MB in total, counting each time one is shown', async () => {
  const text = '![[x.png]] ![](x.png) ![again](x.png) ![[y.png]]\n';
  const images = { 'a/x.png': 4_000_000, 'a/y.png': 1_000_000 };
  const read: string[] = [];
  const page = await renderNoteHtml({ ...request, files: Object.keys(images), text }, async (path) => {
    read.push(path);
    return { bytes: Buffer.alloc(images[path as keyof typeof images]), mediaType: 'image/png' };
  });
  expect(read).toEqual(['a/x.png', 'a/y.png']);
  expect(elementsOf(page).filter(({ tagName }) => tagName === 'img')).toHaveLength(3);
  expect(page.includes('<span>again</span>')).toBe(true);
});

it('renders in a thread, which asks for the images, and gives up after the time limit', async () => {
  const text = '# A\n\n![[x.png]] ![[x.png|again]]\n';
  const read: string[] = [];
  const page = await createNoteRenderer(120_000)({ ...request, text }, async (path) => {
    read.push(path);
    return image;
  });
  expect(read).toEqual(['a/x.png']);
  expect(page).toContain('<title>A</title>');
  expect(page?.match(/src="data:image\/png;base64,PHNjcmlwdD4="/g)).toHaveLength(2);
  expect(await createNoteRenderer(0)({ ...request, text: '# A\n' }, async () => null)).toBeNull();
});

it('fails if an image cannot be read', async () => {
  const rendered = createNoteRenderer(120_000)({ ...request, text: '![[x.png]]\n' }, async () => {
    throw new Error('the disk fails');
  });
  await expect(rendered).rejects.toThrow('the disk fails');
});

it('draws formulas with their colors, and shows the source of one that is invalid', async () => {
  const text = 'A $\\color{red}a^2$ and $\\frac{1}$.\n';
  const page = await renderNoteHtml({ ...request, text }, async () => null);
  expect(page).toContain('<mstyle mathcolor="red"><msup><mi>a</mi><mn>2</mn></msup></mstyle>');
  expect(page).toContain('<code>\\frac{1}</code>');
});
