import { createHash } from 'node:crypto';
import { toHtml } from 'hast-util-to-html';
import type { Element, ElementContent } from '../../web/index.ts';
import { pageStyle } from './page-style.ts';
import type { PageLanguage } from './page-text.ts';

type HtmlPage = {
  title: string;
  language: PageLanguage;
  /** Sanitized. */
  content: readonly ElementContent[];
  /** A sentence below the note. */
  footer: string;
};

/** A file has no headers, so it has its policy in itself: only the style of the page, and images that the file contains. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Formats a page without scripts and without references to other files. */
export function formatHtmlPage({ title, language, content, footer }: HtmlPage): string {
  const meta = (properties: Element['properties']): Element => element('meta', properties);
  const head = element(
    'head',
    {},
    meta({ charSet: 'utf-8' }),
    meta({ httpEquiv: ['content-security-policy'], content: policy }),
    meta({ name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, text(title)),
    element('style', {}, text(pageStyle)),
  );
  const body = element(
    'body',
    {},
    element('main', {}, element('article', {}, ...content)),
    element('footer', {}, text(footer)),
  );
  return toHtml({
    type: 'root',
    children: [{ type: 'doctype' }, element('html', { lang: language }, head, body)],
  });
}

function element(
  tagName: string,
  properties: Element['properties'],
  ...children: readonly ElementContent[]
): Element {
  return { type: 'element', tagName, properties, children: [...children] };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}
