import { parseHTML } from 'linkedom';
import type { Page } from '../html/dom.ts';
import { htmlToMarkdown } from '../html/to-markdown.ts';
import { unixLines } from '../markdown/decode-text.ts';
import type { Pictures } from './email-pictures.ts';

type Body = { markdown: string; warnings: string[] };

/** The words of a message: as plain text where that says as much as the page does. */
export function writeBody(text: string, html: string, pictures: Pictures): Body {
  const page = html.trim() === '' ? { markdown: '', warnings: [] } : writePage(html, pictures);
  if (!isWhole(text, page.markdown)) return page;
  return { markdown: placePictures(separateQuotes(tidy(text)), page.markdown), warnings: [] };
}

/** Many newsletters say in plain text only where they can be seen, and some send the source of the page. */
function isWhole(text: string, page: string): boolean {
  const said = countWords(text);
  return (
    said > 0 && said * 2 >= countWords(page) && !/^\s*<(?:!doctype|html|head|body|table|div)\b/i.test(text)
  );
}

/** Bounded, so that many that never end take no time. */
const picture = /!\[[^\]\n]{0,500}\]\([^)\n]{0,500}\)/g;

/** Without pictures and addresses. */
function countWords(text: string): number {
  const words = text.replaceAll(picture, '').replaceAll(/\b(?:https?|mailto):\S+/g, '');
  return words.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** Nothing is fetched: pictures that lie elsewhere are left out, with those nobody sees. */
function writePage(html: string, pictures: Pictures): Body {
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
    // In a link its description is what is clicked on.
    if (isPixel || (isRemote && image.closest('a') === null)) image.remove();
  }
  return {
    markdown: htmlToMarkdown(page, { nameImage: pictures.nameOf }),
    warnings: elsewhere === 0 ? [] : [`${elsewhere} of its pictures lie on the web; they were not fetched.`],
  };
}

function parsePage(html: string): Page {
  const whole = /<(?:html|body)[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return parseHTML(whole).document;
}

function tidy(text: string): string {
  return unixLines(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^\n+|\n+$/g, '');
}

/**
 * Markdown takes a line below a quotation for a part of it, and one above two dashes for a heading: a blank line
 * keeps them apart.
 */
function separateQuotes(text: string): string {
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

/** Where the text says that there is one, and else below it. */
function placePictures(text: string, page: string): string {
  const rest = page.match(picture) ?? [];
  const placed = text.replaceAll(/\[(?:image|cid): ?[^\]\n]{0,500}\]/gi, (mark) => rest.shift() ?? mark);
  return [placed, ...rest].join('\n\n');
}
