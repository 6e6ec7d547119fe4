import type { Element, ElementContent, Root } from './hast.ts';

/** A part of a note that is shown at once: from this line on, and what can be linked to in it. */
export type Chunk = { line: number; lines: number; ids: string[]; children: ElementContent[] };

/** About half a screen of lines: drawn quickly, also by a slow machine. */
const longest = 30;

/** Consecutive blocks, each chunk about half as long as a screen. A heading stays with what follows it. */
export function chunksOf(tree: Root, skipped: number): Chunk[] {
  const chunks: Chunk[] = [];
  let present: Chunk | null = null;
  let isHeading = false;
  for (const block of tree.children.flatMap(splitLong)) {
    if (block.type !== 'element') continue;
    const start = (block.position?.start.line ?? 0) + skipped;
    const end = (block.position?.end.line ?? start - skipped) + skipped;
    if (present === null || (present.lines >= longest && !isHeading)) {
      present = { line: start, lines: 0, ids: [], children: [] };
      chunks.push(present);
    }
    present.lines = Math.max(end - present.line + 1, 1);
    collectIds(block, present.ids);
    present.children.push(withoutPositions(block));
    isHeading = /^h\d$/.test(block.tagName);
  }
  return chunks;
}

/** A list or code of many screens, as several that look like one. */
function splitLong(block: ElementContent): ElementContent[] {
  if (block.type !== 'element') return [block];
  const { start, end } = block.position ?? {};
  if (start === undefined || end === undefined || end.line - start.line < 6 * longest) return [block];
  if (block.tagName === 'ul' || block.tagName === 'ol') return splitList(block);
  return block.tagName === 'pre' ? splitCode(block) : [block];
}

function splitList(list: Element): ElementContent[] {
  const items = list.children.filter((node) => node.type === 'element');
  const first = Number(list.properties['start'] ?? 1);
  const parts: Element[] = [];
  let at = 0;
  while (at < items.length) {
    const start = items[at]?.position?.start.line ?? 0;
    const from = at;
    while (at < items.length && (items[at]?.position?.end.line ?? 0) - start < longest) at += 1;
    at = Math.max(at, from + 1);
    parts.push(partOf(list, items.slice(from, at), from > 0 ? first + from : first));
  }
  return parts;
}

function partOf(list: Element, children: Element[], start: number): Element {
  const [head, last] = [children[0]?.position, children.at(-1)?.position];
  return {
    ...list,
    children,
    properties: {
      ...list.properties,
      ...(list.tagName === 'ol' && { start }),
      ...(head !== list.children.find((node) => node.type === 'element')?.position && {
        dataContinued: true,
      }),
    },
    ...(head && last && { position: { start: head.start, end: last.end } }),
  };
}

function splitCode(pre: Element): ElementContent[] {
  const [inner] = pre.children;
  const start = pre.position?.start;
  const names = inner?.type === 'element' ? inner.properties['className'] : undefined;
  // A diagram is drawn as a whole.
  const isDiagram = Array.isArray(names) && names.includes('language-mermaid');
  if (inner?.type !== 'element' || start === undefined || isDiagram) return [pre];
  // Each line is its number and its text, or its text alone.
  const isNumbered = inner.children[0]?.type === 'element';
  const step = longest * (isNumbered ? 2 : 1);
  return Array.from({ length: Math.ceil(inner.children.length / step) }, (_, index) => {
    const line = start.line + index * longest;
    return {
      ...pre,
      properties: { ...pre.properties, ...(index > 0 && { dataContinued: true }) },
      children: [{ ...inner, children: inner.children.slice(index * step, (index + 1) * step) }],
      position: { start: { ...start, line }, end: { ...start, line: line + longest - 1 } },
    };
  });
}

function collectIds(element: Element, ids: string[]): void {
  const { id } = element.properties;
  if (typeof id === 'string') ids.push(id);
  for (const child of element.children) if (child.type === 'element') collectIds(child, ids);
}

/** Nobody asks for them any more, and they are half of what a worker would have to send. */
function withoutPositions(node: ElementContent): ElementContent {
  if (node.type === 'text') return { type: 'text', value: node.value };
  if (node.type !== 'element') return node;
  const { tagName, properties, children } = node;
  return { type: 'element', tagName, properties, children: children.map(withoutPositions) };
}
