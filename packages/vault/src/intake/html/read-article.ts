import { DefuddleClass } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { oneLine } from '../markdown/clean-text.ts';
import type { Element, Page } from './dom.ts';

export type Article = { html: string; title: string; author: string; date: string; site: string };

/** What surrounds the text of most pages. */
const surroundings = [
  'script, style, noscript, template, iframe, nav, header, footer, aside, form, dialog',
  '[hidden], [aria-hidden="true"], [role="navigation"], [role="banner"], [role="dialog"], [role="contentinfo"]',
  '#header, #footer, .footer, .breadcrumb, .breadcrumbs, .sidebar, .navbar, .menu',
].join(', ');

/** The text of a page without what surrounds it; the whole page where only a part of the text was found. */
export function readArticle(page: Page, address: string | undefined): Article {
  keepContent(page);
  const [whole, heading] = [wholeOf(page), headingOf(page)];
  if (isDeep(page.body)) return { html: whole.innerHTML, title: heading, author: '', date: '', site: '' };
  const found = new DefuddleClass(asBrowsed(page), {
    url: address ?? 'about:blank',
    // Nothing may be fetched, and its own tidying takes the space before a French colon.
    useAsync: false,
    standardize: false,
  }).parse();
  const main: Page = parseHTML(`<html><body>${found.content}</body></html>`).document;
  const isArticle = textOf(main.body) !== '' && readable(main.body) >= readable(whole) * 0.6;
  const content = isArticle ? main.body : whole;
  const title = found.title.includes(heading) ? heading || oneLine(found.title) : oneLine(found.title);
  dropTitle(content, title);
  return {
    html: content.innerHTML,
    title,
    author: /\d/.test(found.author) ? '' : oneLine(found.author),
    date: /^(\d{4}-\d\d-\d\d)(?:T(?!00:00)\d\d:\d\d:\d\d)?/.exec(found.published)?.[0] ?? '',
    site: oneLine(found.site),
  };
}

/** Looking for the article in a page takes the longer the deeper it is nested; nobody nests one like that to be read. */
const deepest = 80;

function isDeep(element: Element, depth = 0): boolean {
  if (depth > deepest) return true;
  return Array.from(element.children).some((child) => isDeep(child, depth + 1));
}

/** Defuddle would take boxes of facts for clutter, and formulas come twice. */
function keepContent(page: Page): void {
  for (const box of Array.from(page.querySelectorAll('.infobox'))) box.setAttribute('class', '');
  for (const sign of Array.from(page.querySelectorAll('.headerlink, .katex-html, .mw-editsection')))
    sign.remove();
}

function headingOf(page: Page): string {
  const headings = Array.from(page.querySelectorAll('h1')).map(textOf);
  return headings.length === 1 ? (headings[0] ?? '') : '';
}

/** It comes above the text anyway. */
function dropTitle(content: Element, title: string): void {
  const heading = content.querySelector('h1');
  if (heading && textOf(heading) === title) heading.remove();
}

function wholeOf(page: Page): Element {
  const { body }: Page = parseHTML(`<html><body>${page.body.innerHTML}</body></html>`).document;
  for (const element of Array.from(body.querySelectorAll(surroundings))) element.remove();
  return body;
}

/** Letters in paragraphs of some length: lists of links do not count. */
function readable(element: Element): number {
  return Array.from(element.querySelectorAll('p, pre, blockquote, td'))
    .map((block) => textOf(block).length)
    .filter((length) => length > 60)
    .reduce((sum, length) => sum + length, 0);
}

function textOf(element: Element): string {
  return oneLine(element.textContent ?? '');
}

/** Defuddle asks for what only browsers have. */
function asBrowsed(page: Page): never {
  return Object.assign(page, { styleSheets: [] }) as never;
}
