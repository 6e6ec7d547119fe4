import type { Element, ElementContent, Root, Text } from './hast.ts';

type Raw = { type: 'raw'; value: string; position?: Text['position'] };

const blocks = new Set(['blockquote', 'li', 'div', 'section']);

/** Tags in a note are shown as they are written, never obeyed; comments are shown quietly. Runs before sanitising. */
export function showRaw() {
  const visit = (node: Root | Element): void => {
    const isBlock = node.type === 'root' || blocks.has(node.tagName);
    node.children = (node.children as (ElementContent | Raw)[]).map((child) => {
      if (child.type === 'raw') return isBlock ? paragraph(child) : textOf(child);
      if (child.type === 'element') visit(child);
      return child;
    });
  };
  return (tree: Root): void => visit(tree);
}

function textOf({ value, position }: Raw): Text {
  return { type: 'text', value, ...(position && { position }) };
}

function paragraph(raw: Raw): Element {
  const { position } = raw;
  const isComment = /^\s*<!--[\s\S]*-->\s*$/.test(raw.value);
  return {
    type: 'element',
    tagName: isComment ? 'blockquote' : 'p',
    properties: {},
    children: isComment
      ? [
          {
            type: 'element',
            tagName: 'p',
            properties: {},
            children: [textOf(raw)],
            ...(position && { position }),
          },
        ]
      : [textOf(raw)],
    ...(position && { position }),
  };
}
