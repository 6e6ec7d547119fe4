import { parseHTML } from 'linkedom';
import type { Page } from '../html/dom.ts';
import { htmlToMarkdown } from '../html/to-markdown.ts';
import { normalizeLineEndings } from '../markdown/decode-text.ts';
import type { InlineImages } from './inline-images.ts';

type Body = { markdown: string; warnings: string[] };

/** Converts the body of a message. Prefers plain text when it contains as much as the HTML part. */
export function formatBody(text: string, html: string, pictures: InlineImages): Body {
  const page = html.trim() === '' ? { markdown: '', warnings: [] } : formatHtmlBody(html, pictures);
  if (!isCompletePlainText(text, page.markdown)) return page;
  return { markdown: insertImages(separateQuoteLevels(tidyText(text)), page.markdown), warnings: [] };
}

/** In many newsletters, the plain text is only a link to the web version; in some, it is the HTML source. */
function isCompletePlainText(text: string, page: string): boolean {
  const wordCount = countWords(text);
  return (
    wordCount > 0 &&
    wordCount * 2 >= countWords(page) &&
    !/^\s*<(?:!doctype|html|head|body|table|div)\b/i.test(text)
  );
}

/** Bounded, so that many unterminated images do not take quadratic time. */
const picture = /!\[[^\]\n]{0,500}\]\([^)\n]{0,500}\)/g;

/** Counts words, without images and URLs. */
function countWords(text: string): number {
  const words = text.replaceAll(picture, '').replaceAll(/\b(?:https?|mailto):\S+/g, '');
  return words.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** Downloads nothing: remote images are omitted, and so are invisible ones. */
function formatHtmlBody(html: string, pictures: InlineImages): Body {
  const page = parsePage(html);
  for (const hidden of Array.from(page.querySelectorAll('[style*="display"]')))
    if (/display\s*:\s*none/i.test(hidden.getAttribute('style') ?? '')) hidden.remove();
  let elsewhere = 0;
  for (const image of Array.from(page.querySelectorAll('img'))) {
    const isPixel = ['width', 'height'].every((side) =>
      /^[012](?:px)?$/.test(image.getAttribute(side) ?? ''),
    );
    const isRemote = /^(?:https?:)?\/\//i.test((image.getAttribute('src') ?? '').trim());
    if (isRemote && !isPixel) elsewhere += 1;
    // A remote image in a link is kept, because its description becomes the link text.
    if (isPixel || (isRemote && image.closest('a') === null)) image.remove();
  }
  return {
    markdown: htmlToMarkdown(page, { nameImage: pictures.nameOf }),
    warnings: elsewhere === 0 ? [] : [`${elsewhere} images on the web were not downloaded.`],
  };
}

function parsePage(html: string): Page {
  const whole = /<(?:html|body)[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return parseHTML(whole).document;
}

function tidyText(text: string): string {
  return normalizeLineEndings(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^\n+|\n+$/g, '');
}

/**
 * Adds blank lines, because markdown treats a line below a quotation as a part of it, and a line above two dashes as a heading.
 */
function separateQuoteLevels(text: string): string {
  let before = '';
  const lines = text.split('\n').flatMap((line) => {
    const [deep, depth] = [quoteDepth(before), quoteDepth(line)];
    const isCut = depth < deep && before.trim() !== '' && line.trim() !== '';
    const isSignature = line === '--' && before !== '';
    before = line;
    return isCut || isSignature ? ['>'.repeat(depth), line] : [line];
  });
  return lines.join('\n');
}

function quoteDepth(line: string): number {
  const [marks = ''] = /^(?:> ?)*/.exec(line) ?? [];
  return marks.replaceAll(' ', '').length;
}

/** Inserts images where the text refers to them, and the others below it. */
function insertImages(text: string, page: string): string {
  const rest = page.match(picture) ?? [];
  const placed = text.replaceAll(/\[(?:image|cid): ?[^\]\n]{0,500}\]/gi, (mark) => rest.shift() ?? mark);
  return [placed, ...rest].join('\n\n');
}
