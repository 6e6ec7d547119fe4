import { wikilinksIn } from '../../contract/index.ts';
import type { Element, ElementContent } from './hast.ts';

const isImage = /\.(?:png|jpe?g|gif|webp|svg|avif)$/i;
/** With at least one letter in it, and nothing but space or a bracket in front. */
const tagOrMark =
  /(?<=^|[\s([{])#(?=[\p{N}/_-]*\p{L})([\p{L}\p{M}\p{N}/_-]{1,100})|==(?=\S)([^=\n]{1,500})(?<=\S)==/gu;

/** Wikilinks, tags and highlights within the text of one line. */
export function inlineParts(text: string, isLinked: boolean): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const link of wikilinksIn(text)) {
    if (link.start > end) parts.push(...tagsAndMarks(text.slice(end, link.start), isLinked));
    parts.push(wikilink(link));
    end = link.end;
  }
  if (end < text.length) parts.push(...tagsAndMarks(text.slice(end), isLinked));
  return parts;
}

function wikilink({ target, anchor, label, isEmbed }: ReturnType<typeof wikilinksIn>[number]): Element {
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
    // Of what is embedded the label is a size.
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
