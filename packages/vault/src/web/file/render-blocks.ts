import type { Element, ElementContent, Root } from './hast.ts';

/**
 * A part of a note that is rendered as a unit: its first line, its number of lines, and the ids of link targets in it.
 */
export type NoteBlock = { line: number; lines: number; ids: string[]; children: ElementContent[] };

/** About half a screen, which renders quickly on slow machines, too. */
const maxLinesPerBlock = 30;

/** Splits a note into parts of about half a screen. A heading stays with the content below it. */
export function splitIntoBlocks(tree: Root, lineOffset: number): NoteBlock[] {
  const blocks: NoteBlock[] = [];
  let present: NoteBlock | null = null;
  let isHeading = false;
  for (const block of tree.children.flatMap(splitLongBlock)) {
    if (block.type !== 'element') continue;
    const start = (block.position?.start.line ?? 0) + lineOffset;
    const end = (block.position?.end.line ?? start - lineOffset) + lineOffset;
    if (present === null || (present.lines >= maxLinesPerBlock && !isHeading)) {
      present = { line: start, lines: 0, ids: [], children: [] };
      blocks.push(present);
    }
    present.lines = Math.max(end - present.line + 1, 1);
    collectIds(block, present.ids);
    present.children.push(stripPositions(block));
    isHeading = /^h\d$/.test(block.tagName);
  }
  return blocks;
}

/** Splits a very long list or code block into several that look like one. */
function splitLongBlock(block: ElementContent): ElementContent[] {
  if (block.type !== 'element') return [block];
  const { start, end } = block.position ?? {};
  if (start === undefined || end === undefined || end.line - start.line < 6 * maxLinesPerBlock)
    return [block];
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
    while (at < items.length && (items[at]?.position?.end.line ?? 0) - start < maxLinesPerBlock) at += 1;
    at = Math.max(at, from + 1);
    parts.push(listPart(list, items.slice(from, at), from > 0 ? first + from : first));
  }
  return parts;
}

function listPart(list: Element, children: Element[], start: number): Element {
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
  // A diagram cannot be split.
  const isDiagram = Array.isArray(names) && names.includes('language-mermaid');
  if (inner?.type !== 'element' || start === undefined || isDiagram) return [pre];
  // Each line consists of a number and its text, or only of text.
  const isNumbered = inner.children[0]?.type === 'element';
  const step = maxLinesPerBlock * (isNumbered ? 2 : 1);
  return Array.from({ length: Math.ceil(inner.children.length / step) }, (_, index) => {
    const line = start.line + index * maxLinesPerBlock;
    return {
      ...pre,
      properties: { ...pre.properties, ...(index > 0 && { dataContinued: true }) },
      children: [{ ...inner, children: inner.children.slice(index * step, (index + 1) * step) }],
      position: { start: { ...start, line }, end: { ...start, line: line + maxLinesPerBlock - 1 } },
    };
  });
}

function collectIds(element: Element, ids: string[]): void {
  const { id } = element.properties;
  if (typeof id === 'string') ids.push(id);
  for (const child of element.children) if (child.type === 'element') collectIds(child, ids);
}

/** Positions are no longer needed, and are half of the data that the worker sends. */
function stripPositions(node: ElementContent): ElementContent {
  if (node.type === 'text') return { type: 'text', value: node.value };
  if (node.type !== 'element') return node;
  const { tagName, properties, children } = node;
  return { type: 'element', tagName, properties, children: children.map(stripPositions) };
}
