import { DefuddleClass } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { toSingleLine } from '../markdown/clean-text.ts';
import type { Element, Page } from './dom.ts';

export type Article = { html: string; title: string; author: string; date: string; site: string };

/** Elements around the main text of most pages. */
const boilerplateSelectors = [
  'script, style, noscript, template, iframe, nav, header, footer, aside, form, dialog',
  '[hidden], [aria-hidden="true"], [role="navigation"], [role="banner"], [role="dialog"], [role="contentinfo"]',
  '#header, #footer, .footer, .breadcrumb, .breadcrumbs, .sidebar, .navbar, .menu',
].join(', ');

/** Extracts the main text of a page. Returns the whole page when the extraction found only a part of the text. */
export function extractArticle(page: Page, address: string | undefined): Article {
  prepareForDefuddle(page);
  const [whole, heading] = [pageContent(page), headingOf(page)];
  if (isDeeplyNested(page.body))
    return { html: whole.innerHTML, title: heading, author: '', date: '', site: '' };
  const found = new DefuddleClass(withStyleSheets(page), {
    url: address ?? 'about:blank',
    // Nothing may be downloaded, and standardizing removes the space before a French colon.
    useAsync: false,
    standardize: false,
  }).parse();
  const main: Page = parseHTML(`<html><body>${found.content}</body></html>`).document;
  const isArticle = textOf(main.body) !== '' && readableLength(main.body) >= readableLength(whole) * 0.6;
  const content = isArticle ? main.body : whole;
  const title = found.title.includes(heading)
    ? heading || toSingleLine(found.title)
    : toSingleLine(found.title);
  dropTitle(content, title);
  return {
    html: content.innerHTML,
    title,
    author: /\d/.test(found.author) ? '' : toSingleLine(found.author),
    date: /^(\d{4}-\d\d-\d\d)(?:T(?!00:00)\d\d:\d\d:\d\d)?/.exec(found.published)?.[0] ?? '',
    site: toSingleLine(found.site),
  };
}

/** The extraction time grows with the nesting depth. Real articles are not nested this deeply. */
const maxNestingDepth = 80;

function isDeeplyNested(element: Element, depth = 0): boolean {
  if (depth > maxNestingDepth) return true;
  return Array.from(element.children).some((child) => isDeeplyNested(child, depth + 1));
}

/** Defuddle would remove info boxes as clutter and duplicate formulas. */
function prepareForDefuddle(page: Page): void {
  for (const box of Array.from(page.querySelectorAll('.infobox'))) box.setAttribute('class', '');
  for (const sign of Array.from(page.querySelectorAll('.headerlink, .katex-html, .mw-editsection')))
    sign.remove();
}

function headingOf(page: Page): string {
  const headings = Array.from(page.querySelectorAll('h1')).map(textOf);
  return headings.length === 1 ? (headings[0] ?? '') : '';
}

/** Removes a heading that repeats the title, which is written above the text anyway. */
function dropTitle(content: Element, title: string): void {
  const heading = content.querySelector('h1');
  if (heading && textOf(heading) === title) heading.remove();
}

function pageContent(page: Page): Element {
  const { body }: Page = parseHTML(`<html><body>${page.body.innerHTML}</body></html>`).document;
  for (const element of Array.from(body.querySelectorAll(boilerplateSelectors))) element.remove();
  return body;
}

/** Counts letters in longer paragraphs, so that lists of links do not count. */
function readableLength(element: Element): number {
  return Array.from(element.querySelectorAll('p, pre, blockquote, td'))
    .map((block) => textOf(block).length)
    .filter((length) => length > 60)
    .reduce((sum, length) => sum + length, 0);
}

function textOf(element: Element): string {
  return toSingleLine(element.textContent ?? '');
}

/** Adds properties that Defuddle expects and only browsers have. */
function withStyleSheets(page: Page): never {
  return Object.assign(page, { styleSheets: [] }) as never;
}
