import type TurndownService from 'turndown';
import { oneLine } from '../markdown/clean-text.ts';
import { escapeMarkdown } from '../markdown/escape-markdown.ts';
import { isWithin } from './dom.ts';
import type { Element } from './dom.ts';

export type LinkOptions = {
  /** What relative links are relative to. */
  base?: string | undefined;
  /** The name of the image's file beside the markdown, for images that are kept. */
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
      const text = escapeMarkdown(oneLine(image.getAttribute('alt') ?? ''));
      const name = nameImage?.(source);
      if (name !== undefined) return `![${text.replaceAll(/\\?[[\]]/g, '')}](${destination(name)})`;
      const target = resolveLink(source, base);
      if (text === '' || target === undefined || isWithin(image, 'a')) return text;
      return renderLink(text, target);
    },
  });
}

/** Undefined for what leads nowhere from a note: places in the page, scripts, paths on somebody's disk. */
export function resolveLink(href: string, base?: string): string | undefined {
  const target = href.trim();
  if (target === '' || target.startsWith('#') || !URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  if (!['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return undefined;
  return destination(URL.canParse(target) ? target : url.href);
}

/** Without what would end a link. */
function destination(target: string): string {
  return target.replaceAll(/[\s()<>\\]|\p{Cc}/gu, (sign) =>
    /[()]/.test(sign) ? parenthesis(sign) : encodeURI(sign),
  );
}

function parenthesis(sign: string): string {
  return sign === '(' ? '%28' : '%29';
}

/** What stands in a link may be whole cards of headings and paragraphs. */
function linkText(content: string): string {
  const text = oneLine(content.replaceAll('\uE000', ' ').replaceAll(/^#+ /gm, ''));
  const opened = text.split('[').length;
  return opened === text.split(']').length ? text : text.replaceAll(/(?<!\\)[[\]]/g, '\\$&');
}

export function renderLink(text: string, target: string): string {
  const plain = text.replaceAll('\\', '');
  if (plain === target || `mailto:${plain}` === target) return `<${plain}>`;
  return `[${text}](${target})`;
}
