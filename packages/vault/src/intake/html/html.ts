import { parseHTML } from 'linkedom';
import { escapeMarkdown } from '../markdown/escape-markdown.ts';
import { firstHeading } from '../markdown/title.ts';
import type { Converter, Metadata } from '../document.ts';
import { decodeHtml } from './decode-html.ts';
import type { Page } from './dom.ts';
import { extractImages } from './extract-images.ts';
import { renderLink, resolveLink } from './link-rules.ts';
import { extractArticle } from './read-article.ts';
import type { Article } from './read-article.ts';
import { htmlToMarkdown } from './to-markdown.ts';

/** Converts the title and the main content of a page. Downloads nothing. */
export const convertHtml: Converter = async ({ bytes }, { stem, isTextOnly = false }) => {
  const { text, warnings } = decodeHtml(bytes);
  const page = parsePage(text);
  const address = pageUrl(page, text);
  const pictures = extractImages(page, stem);
  const article = extractArticle(page, address);
  const body = htmlToMarkdown(article.html, { base: baseUrl(page, address), nameImage: pictures.nameImage });
  const images = pictures.kept();
  return {
    kind: 'converted',
    markdown: body === '' && images.length === 0 ? '' : prependTitle(article, address, body),
    images,
    metadata: { type: 'html', ...toConversion(article, body) },
    warnings: [...warnings, ...(isTextOnly ? [] : pictures.warnings())],
    attachments: [],
  };
};

function parsePage(html: string): Page {
  const whole = /<(?:html|body)[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return parseHTML(whole).document;
}

/** The URL of the page, if it declares one. */
function pageUrl(page: Page, text: string): string | undefined {
  const places = [
    page.querySelector('link[rel="canonical"]')?.getAttribute('href'),
    page.querySelector('meta[property="og:url"]')?.getAttribute('content'),
    /<!-- saved from url=\(\d+\)(\S+) -->/.exec(text.slice(0, 4096))?.[1],
  ];
  return places.find((place) => /^https?:\/\//i.test(place ?? '') && URL.canParse(place ?? '')) ?? undefined;
}

function baseUrl(page: Page, address: string | undefined): string | undefined {
  const base = page.querySelector('base[href]')?.getAttribute('href') ?? '';
  return URL.canParse(base, address) ? new URL(base, address).href : address;
}

function prependTitle({ title, site }: Article, address: string | undefined, body: string): string {
  const heading = title === '' || body.startsWith('# ') ? [] : [`# ${escapeMarkdown(title)}`];
  const target = resolveLink(address ?? '');
  const source =
    target === undefined ? [] : [renderLink(escapeMarkdown(site || new URL(target).hostname), target)];
  return [...heading, ...source, body].join('\n\n');
}

function toConversion(
  { title, author, date }: Article,
  body: string,
): Pick<Metadata, 'title' | 'author' | 'date'> {
  const name = title || firstHeading(body);
  return { ...(name && { title: name }), ...(author && { author }), ...(date && { date }) };
}
