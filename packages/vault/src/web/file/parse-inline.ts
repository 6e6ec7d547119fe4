import { parseWikilinks } from '../../contract/index.ts';
import type { Element, ElementContent } from './hast.ts';

const isImage = /\.(?:png|jpe?g|gif|webp|svg|avif)$/i;
/** A tag contains at least one letter and follows whitespace or an opening bracket. */
const tagOrMark =
  /(?<=^|[\s([{])#(?=[\p{N}/_-]*\p{L})([\p{L}\p{M}\p{N}/_-]{1,100})|==(?=\S)([^=\n]{1,500})(?<=\S)==/gu;

/** Parses wikilinks, tags and highlights in one line of text. Tags inside of links are not linked again. */
export function parseInline(text: string, isLinked: boolean): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const link of parseWikilinks(text)) {
    if (link.start > end) parts.push(...tagsAndMarks(text.slice(end, link.start), isLinked));
    parts.push(wikilink(link));
    end = link.end;
  }
  if (end < text.length) parts.push(...tagsAndMarks(text.slice(end), isLinked));
  return parts;
}

function wikilink({ target, anchor, label, isEmbed }: ReturnType<typeof parseWikilinks>[number]): Element {
  const name = `${target}${anchor}`;
  if (isEmbed && isImage.test(target)) {
    const [, width] = /^(\d{1,4})(?:x\d{1,4})?$/.exec(label) ?? [];
    const properties = { dataWiki: name, alt: target, ...(width !== undefined && { width: Number(width) }) };
    return { type: 'element', tagName: 'img', properties, children: [] };
  }
  return {
    type: 'element',
    tagName: 'a',
    properties: { dataWiki: name, ...(isEmbed && { dataEmbed: true }) },
    // The label of an embed is its display size.
    children: [{ type: 'text', value: isEmbed || label === '' ? name : label }],
  };
}

function tagsAndMarks(text: string, isLinked: boolean): ElementContent[] {
  if (!text.includes('#') && !text.includes('==')) return [{ type: 'text', value: text }];
  const parts: ElementContent[] = [];
  let end = 0;
  for (const { 0: whole, 1: tag, 2: marked = '', index } of text.matchAll(tagOrMark)) {
    if (tag !== undefined && isLinked) continue;
    if (index > end) parts.push({ type: 'text', value: text.slice(end, index) });
    parts.push({
      type: 'element',
      tagName: tag === undefined ? 'mark' : 'a',
      properties: tag === undefined ? {} : { dataTag: tag },
      children: [{ type: 'text', value: tag === undefined ? marked : whole }],
    });
    end = index + whole.length;
  }
  if (end < text.length) parts.push({ type: 'text', value: text.slice(end) });
  return parts;
}
