import TurndownService from 'turndown';
import { cleanText, toSingleLine } from '../markdown/clean-text.ts';
import { escapeMarkdown, unescapeListNumber } from '../markdown/escape-markdown.ts';
import { superscript } from '../markdown/superscript.ts';
import { lineBreak, tidyMarkdown } from '../markdown/tidy-markdown.ts';
import { hasParent } from './dom.ts';
import type { Element, Page } from './dom.ts';
import { addLinkRules } from './link-rules.ts';
import type { LinkOptions } from './link-rules.ts';
import { addListRules } from './list-rules.ts';
import { addFootnoteRules } from './footnote-rules.ts';
import { addTableRules } from './table-rules.ts';

/**
 * Converts HTML to markdown that contains no HTML. Links with schemes other than http, https, mailto and tel are dropped. Images without
 * a name from `nameImage` become links.
 */
export function htmlToMarkdown(html: string | Page, options: LinkOptions = {}): string {
  return tidyMarkdown(createService(options).turndown(typeof html === 'string' ? html : html.body.innerHTML));
}

function createService(options: LinkOptions): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    emDelimiter: '*',
    br: lineBreak,
    blankReplacement: (_, node: Element & { isBlock: boolean }) => (node.isBlock ? '\n\n' : ''),
  });
  service.escape = (text) => escapeMarkdown(cleanText(text));
  service.remove([
    'script',
    'style',
    'noscript',
    'iframe',
    'template',
    'head',
    'title',
    'button',
    'select',
    'textarea',
  ]);
  service.remove((node: Element) => /^(?:svg|object|embed|canvas|audio|video)$/i.test(node.nodeName));
  addTextRules(service);
  addListRules(service);
  addTableRules(service);
  addLinkRules(service, options);
  addFootnoteRules(service);
  return service;
}

function addTextRules(service: TurndownService): void {
  service.addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, heading: Element) => {
      const text = toSingleLine(content).replace(/^\*\*((?:(?!\*\*).)+)\*\*$/, '$1');
      if (text === '' || hasParent(heading, 'A')) return text;
      return `\n\n${'#'.repeat(Number(heading.nodeName.slice(1)))} ${unescapeListNumber(text)}\n\n`;
    },
  });
  service.addRule('code block', {
    filter: (node: Element) => node.nodeName === 'PRE',
    replacement: (_, block: Element) => fence(block),
  });
  service.addRule('struck', {
    filter: ['del', 's'],
    replacement: (content) => (content.trim() === '' ? '' : `~~${content}~~`),
  });
  service.addRule('superscript', { filter: 'sup', replacement: superscript });
  service.addRule('formula', {
    filter: (node: Element) => node.nodeName.toLowerCase() === 'math',
    replacement: (content, math: Element) => {
      const formula = math.getAttribute('data-latex') ?? '';
      return formula === '' ? content : `$${formula}$`;
    },
  });
  service.addRule('term', { filter: ['dt', 'summary'], replacement: (content) => block(strong(content)) });
  service.addRule('caption', { filter: 'figcaption', replacement: (content) => block(content) });
}

const block = (content: string): string => `\n\n${content}\n\n`;

const strong = (content: string): string =>
  content.trim() === '' || content.includes('**') ? content : `**${content.trim()}**`;

function fence(pre: Element): string {
  const code = cleanText(linesOf(pre)).replace(/^\n+/, '').trimEnd();
  if (code === '') return '';
  const maxTicks = code
    .matchAll(/^[^\S\n]*(`{3,})/gm)
    .reduce((max, [, ticks = '']) => Math.max(max, ticks.length), 2);
  const ticks = '`'.repeat(maxTicks + 1);
  return block(`${ticks}${languageOf(pre)}\n${code}\n${ticks}`);
}

function linesOf(element: Element): string {
  return Array.from(element.childNodes)
    .map((node) => {
      if (node.nodeName === 'BR') return '\n';
      return node.nodeType === 3 ? (node.textContent ?? '') : linesOf(node);
    })
    .join('');
}

function languageOf(pre: Element): string {
  const places = [pre, pre.querySelector('code'), pre.parentNode];
  const classes = places.map((place) => place?.getAttribute?.('class') ?? '').join(' ');
  return /\b(?:language|lang|highlight-source|brush:)-?\s?([\w+#-]+)/.exec(classes)?.[1] ?? '';
}
