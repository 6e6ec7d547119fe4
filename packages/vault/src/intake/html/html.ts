import { parseHTML } from 'linkedom';
import { escapeMarkdown } from '../markdown/escape-markdown.ts';
import { firstHeading } from '../markdown/title.ts';
import type { Converter, Metadata } from '../port.ts';
import { decodeHtml } from './decode-html.ts';
import type { Page } from './dom.ts';
import { liftPictures } from './lift-pictures.ts';
import { renderLink, resolveLink } from './link-rules.ts';
import { readArticle } from './read-article.ts';
import type { Article } from './read-article.ts';
import { htmlToMarkdown } from './to-markdown.ts';

/** What is to be read on a page, below its title. Nothing is fetched. */
export const convertHtml: Converter = async ({ bytes }, { stem }) => {
  const { text, warnings } = decodeHtml(bytes);
  const page = parsePage(text);
  const address = addressOf(page, text);
  const pictures = liftPictures(page, stem);
  const article = readArticle(page, address);
  const body = htmlToMarkdown(article.html, { base: baseOf(page, address), nameImage: pictures.nameImage });
  const images = pictures.kept();
  return {
    kind: 'converted',
    markdown: body === '' && images.length === 0 ? '' : underTitle(article, address, body),
    images,
    metadata: { type: 'html', ...describe(article, body) },
    warnings: [...warnings, ...pictures.warnings()],
    attachments: [],
  };
};

function parsePage(html: string): Page {
  const whole = /<(?:html|body)[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return parseHTML(whole).document;
}

/** Where the page lay on the web, if it says so. */
function addressOf(page: Page, text: string): string | undefined {
  const places = [
    page.querySelector('link[rel="canonical"]')?.getAttribute('href'),
    page.querySelector('meta[property="og:url"]')?.getAttribute('content'),
    /<!-- saved from url=\(\d+\)(\S+) -->/.exec(text.slice(0, 4096))?.[1],
  ];
  return places.find((place) => /^https?:\/\//i.test(place ?? '') && URL.canParse(place ?? '')) ?? undefined;
}

function baseOf(page: Page, address: string | undefined): string | undefined {
  const base = page.querySelector('base[href]')?.getAttribute('href') ?? '';
  return URL.canParse(base, address) ? new URL(base, address).href : address;
}

function underTitle({ title, site }: Article, address: string | undefined, body: string): string {
  const heading = title === '' || body.startsWith('# ') ? [] : [`# ${escapeMarkdown(title)}`];
  const target = resolveLink(address ?? '');
  const source =
    target === undefined ? [] : [renderLink(escapeMarkdown(site || new URL(target).hostname), target)];
  return [...heading, ...source, body].join('\n\n');
}

function describe(
  { title, author, date }: Article,
  body: string,
): Pick<Metadata, 'title' | 'author' | 'date'> {
  const name = title || firstHeading(body);
  return { ...(name && { title: name }), ...(author && { author }), ...(date && { date }) };
}
