import { defaultSchema } from 'rehype-sanitize';
import type { Element, ElementContent, Root, Text } from './hast.ts';

type Raw = { type: 'raw'; value: string; position?: Text['position'] };

/** Harmless tags: those that GitHub allows, except for a few such as form fields and media sources, plus a few more. */
export const allowedTags: readonly string[] = [
  ...(defaultSchema.tagNames ?? []).filter((name) => !/^(?:input|picture|section|source)$/.test(name)),
  'figure',
  'figcaption',
  'mark',
  'small',
  'u',
  'wbr',
];
const known = new Set(allowedTags);
const blocks = new Set(['blockquote', 'li', 'div', 'section']);

/** Removes HTML comments and shows unknown tags as text. Runs before sanitizing. */
export function rehypeEscapeRawHtml() {
  const visit = (node: Root | Element): void => {
    const isBlock = node.type === 'root' || blocks.has(node.tagName);
    node.children = (node.children as (ElementContent | Raw)[]).flatMap((child): ElementContent[] => {
      if (child.type === 'element') visit(child);
      if (child.type !== 'raw') return [child];
      const value = child.value.replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ''));
      if (value.trim() === '') return [];
      if (isPlain(value)) return [{ ...child, value }];
      return [isBlock ? paragraph(child) : textOf(child)];
    });
  };
  return (tree: Root): void => visit(tree);
}

/** Whether the HTML contains only known tags. */
function isPlain(value: string): boolean {
  if (/<[!?]/.test(value)) return false;
  const names = [...value.matchAll(/<\/?([a-z][^\s/>]*)/gi)].map(([, name = '']) => name.toLowerCase());
  return names.length > 0 && names.every((name) => known.has(name));
}

function textOf({ value, position }: Raw): Text {
  return { type: 'text', value, ...(position && { position }) };
}

function paragraph(raw: Raw): Element {
  const { position } = raw;
  return {
    type: 'element',
    tagName: 'p',
    properties: {},
    children: [textOf(raw)],
    ...(position && { position }),
  };
}
