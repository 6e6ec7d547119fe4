import { createHash } from 'node:crypto';
import { toHtml } from 'hast-util-to-html';
import { pageStyle } from './page-style.ts';

export type HtmlPage = {
  title: string;
  language: 'en' | 'fr';
  /** Rendered and sanitized. */
  html: string;
  /** A sentence below the note. */
  footer: string;
  /** Further `<meta>` elements. */
  metas?: readonly Readonly<Record<string, string>>[];
};

export function escapeText(value: string): string {
  return toHtml({ type: 'text', value });
}

/** The hash by which a content security policy allows the style of the page, and nothing else. */
export const styleSource = `'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`;

/** A page of its own, without scripts and without references to other files than those of the note. */
export function formatHtmlPage({ title, language, html, footer, metas = [] }: HtmlPage): string {
  const element = (tagName: string, properties: object, ...children: object[]) =>
    ({ type: 'element', tagName, properties, children }) as const;
  const text = (value: string) => ({ type: 'text', value }) as const;
  const raw = (value: string) => ({ type: 'raw', value }) as const;
  const meta = (properties: object) => element('meta', properties);
  const head = element(
    'head',
    {},
    meta({ charSet: 'utf-8' }),
    ...metas.map(meta),
    meta({ name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, text(title)),
    element('style', {}, raw(pageStyle)),
  );
  const body = element(
    'body',
    {},
    element('main', {}, element('article', {}, raw(html))),
    element('footer', {}, text(footer)),
  );
  const page = {
    type: 'root',
    children: [{ type: 'doctype' }, element('html', { lang: language }, head, body)],
  };
  return toHtml(page as never, { allowDangerousHtml: true });
}
