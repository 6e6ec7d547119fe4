import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language';
import { markdown } from '@codemirror/lang-markdown';
import type { LanguageSupport } from '@codemirror/language';
import { GFM } from '@lezer/markdown';
import type { InlineContext, MarkdownConfig } from '@lezer/markdown';
import { parseAroundChange } from './patch-tree.ts';

const codes = { bracket: 91, bang: 33, hash: 35, equals: 61 };

/** The syntax of notes beyond GitHub's: wikilinks and embeds, tags, and highlighted text. */
const noteSyntax: MarkdownConfig = {
  defineNodes: ['Wikilink', 'WikiEmbed', 'WikilinkMark', 'Hashtag', 'Highlight', 'HighlightMark'],
  parseInline: [
    { name: 'Wikilink', before: 'Link', parse: parseWikilink },
    { name: 'WikiEmbed', before: 'Image', parse: parseWikilink },
    { name: 'Hashtag', parse: parseHashtag },
    { name: 'Highlight', parse: parseHighlight },
  ],
};

/** Parses `[[name]]` and `![[name]]`. */
function parseWikilink(context: InlineContext, next: number, pos: number): number {
  const isEmbed = next === codes.bang;
  if (!isEmbed && next !== codes.bracket) return -1;
  const found = /^!?\[\[[^[\]\n]+\]\]/.exec(context.slice(pos, context.end))?.[0];
  if (found === undefined) return -1;
  const end = pos + found.length;
  return context.addElement(
    context.elt(isEmbed ? 'WikiEmbed' : 'Wikilink', pos, end, [
      context.elt('WikilinkMark', pos, pos + (isEmbed ? 3 : 2)),
      context.elt('WikilinkMark', end - 2, end),
    ]),
  );
}

/** Parses `#tag`; a number alone is no tag. */
function parseHashtag(context: InlineContext, next: number, pos: number): number {
  if (next !== codes.hash) return -1;
  if (pos > context.offset && !/[\s(,;]/.test(context.slice(pos - 1, pos))) return -1;
  const found = /^#[\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*/u.exec(context.slice(pos, context.end))?.[0];
  return found === undefined ? -1 : context.addElement(context.elt('Hashtag', pos, pos + found.length));
}

/** Parses `==text==`. */
function parseHighlight(context: InlineContext, next: number, pos: number): number {
  if (next !== codes.equals) return -1;
  const found = /^==(?=\S)[^=\n]+==/.exec(context.slice(pos, context.end))?.[0];
  if (found === undefined) return -1;
  const end = pos + found.length;
  return context.addElement(
    context.elt('Highlight', pos, end, [
      context.elt('HighlightMark', pos, pos + 2),
      context.elt('HighlightMark', end - 2, end),
    ]),
  );
}

/** Markdown as in notes. Without completion of HTML tags, which are seldom written in notes. */
export function noteLanguage(): LanguageSupport {
  const wrap = parseAroundChange(() => support.language.parser);
  const support = markdown({
    extensions: [{ wrap }, GFM, noteSyntax],
    completeHTMLTags: false,
    pasteURLAsLink: true,
  });
  return support;
}

/** The default style in the colors of the interface, which are also legible in dark mode. */
export const noteHighlightStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => {
    const { color, textDecoration, ...rest } = spec;
    const isHeading = rest['fontWeight'] === 'bold' && textDecoration === 'underline';
    return {
      ...rest,
      ...(textDecoration !== undefined && !isHeading && { textDecoration: textDecoration as string }),
      ...(color !== undefined && {
        color: color === '#404740' ? 'var(--color-soft)' : 'var(--color-accent)',
      }),
    };
  }),
);
