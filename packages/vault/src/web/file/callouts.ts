import type { Element, ElementContent, Root, Text } from './hast.ts';

const mark = /^\[!([\w-]{1,40})(?:\|[^\]\n]*)?\]([+-]?)[ \t]*/;

/**
 * Renders quotes that start with `[!note]` as callouts, as Obsidian and GitHub do. A `-` or `+` after `[!note]` makes
 * the callout collapsible. The default title is the name of its kind.
 */
export function rehypeCallouts(names: Readonly<Record<string, string>>) {
  const visit = (node: Root | Element): void => {
    for (const child of node.children) {
      if (child.type !== 'element') continue;
      if (child.tagName === 'blockquote') toCallout(child, names);
      visit(child);
    }
  };
  return () => (tree: Root) => visit(tree);
}

function toCallout(quote: Element, names: Readonly<Record<string, string>>): void {
  const at = quote.children.findIndex((node) => node.type === 'element');
  const paragraph = quote.children[at];
  const [start, ...inline] = paragraph?.type === 'element' ? paragraph.children : [];
  if (paragraph?.type !== 'element' || paragraph.tagName !== 'p' || start?.type !== 'text') return;
  const [whole, kind = '', fold] = mark.exec(start.value) ?? [];
  if (whole === undefined) return;
  const name = kind.toLowerCase();
  const [title, body] = splitFirstLine([{ ...start, value: start.value.slice(whole.length) }, ...inline]);
  const isTitled = title.some((node) => node.type !== 'text' || node.value.trim() !== '');
  const own: Text = {
    type: 'text',
    value: names[name] ?? kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase(),
    ...(start.position && { position: start.position }),
  };
  quote.tagName = fold === '' ? 'div' : 'details';
  quote.properties = { className: ['callout'], dataCallout: name, ...(fold === '+' && { open: true }) };
  quote.children = [
    {
      ...paragraph,
      tagName: fold === '' ? 'p' : 'summary',
      properties: { className: ['callout-title'], dataCallout: name },
      children: isTitled ? title : [own],
    },
    ...(body.length === 0 ? [] : [{ ...paragraph, children: body }]),
    ...quote.children.slice(at + 1),
  ];
}

/** Splits inline content into its first line and the rest. */
function splitFirstLine(nodes: readonly ElementContent[]): [ElementContent[], ElementContent[]] {
  for (const [index, node] of nodes.entries()) {
    const end = node.type === 'text' ? node.value.indexOf('\n') : -1;
    if (node.type !== 'text' || end < 0) continue;
    const { position, value } = node;
    const line = (position?.start.line ?? 0) + 1;
    const rest: Text = {
      type: 'text',
      value: value.slice(end + 1),
      ...(position && { position: { ...position, start: { ...position.start, line, column: 1 } } }),
    };
    const below = [...(rest.value === '' ? [] : [rest]), ...nodes.slice(index + 1)];
    return [[...nodes.slice(0, index), { ...node, value: value.slice(0, end) }], below];
  }
  return [[...nodes], []];
}
