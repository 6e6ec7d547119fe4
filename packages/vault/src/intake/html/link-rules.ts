import type TurndownService from 'turndown';
import { toSingleLine } from '../markdown/clean-text.ts';
import { escapeMarkdown } from '../markdown/escape-markdown.ts';
import { isInside } from './dom.ts';
import type { Element } from './dom.ts';

export type LinkOptions = {
  /** The base URL of relative links. */
  base?: string | undefined;
  /** The file name of an image next to the markdown; undefined for images that are not kept. */
  nameImage?: (source: string) => string | undefined;
};

export function addLinkRules(service: TurndownService, { base, nameImage }: LinkOptions): void {
  service.addRule('link', {
    filter: 'a',
    replacement: (content, link: Element) => {
      const text = linkText(content);
      const target = resolveLink(link.getAttribute('href') ?? '', base);
      if (target === undefined) return content;
      return text === '' ? '' : renderLink(text, target);
    },
  });
  service.addRule('image', {
    filter: 'img',
    replacement: (_, image: Element) => {
      const source = (image.getAttribute('src') ?? '').trim();
      const text = escapeMarkdown(toSingleLine(image.getAttribute('alt') ?? ''));
      const name = nameImage?.(source);
      if (name !== undefined) return `![${text.replaceAll(/\\?[[\]]/g, '')}](${destination(name)})`;
      const target = resolveLink(source, base);
      if (text === '' || target === undefined || isInside(image, 'a')) return text;
      return renderLink(text, target);
    },
  });
}

/** Undefined for targets that are useless in a note: fragments of the page, scripts, paths on a disk. */
export function resolveLink(href: string, base?: string): string | undefined {
  const target = href.trim();
  if (target === '' || target.startsWith('#') || !URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  if (!['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return undefined;
  return destination(URL.canParse(target) ? target : url.href);
}

/** Escapes the characters that would end a link. */
function destination(target: string): string {
  return target.replaceAll(/[\s()<>\\]|\p{Cc}/gu, (sign) =>
    /[()]/.test(sign) ? parenthesis(sign) : encodeURI(sign),
  );
}

function parenthesis(sign: string): string {
  return sign === '(' ? '%28' : '%29';
}

/** A link may contain a whole card with headings and paragraphs; its text becomes one line. */
function linkText(content: string): string {
  const text = toSingleLine(content.replaceAll('\uE000', ' ').replaceAll(/^#+ /gm, ''));
  const opened = text.split('[').length;
  return opened === text.split(']').length ? text : text.replaceAll(/(?<!\\)[[\]]/g, '\\$&');
}

export function renderLink(text: string, target: string): string {
  const plain = text.replaceAll('\\', '');
  if (plain === target || `mailto:${plain}` === target) return `<${plain}>`;
  return `[${text}](${target})`;
}
