import { wikilinksIn } from '../../contract/index.ts';
import type { Element, ElementContent, Root, Text } from './hast.ts';
import { headingId } from './heading-id.ts';
import { taskParts } from './task-parts.ts';

type Options = {
  /** Lines before the first one of this text. */
  skipped: number;
  /** The text, to see where code begins. */
  lines: readonly string[];
  /** No numbers, as for text that stands in no file. */
  isPlain?: boolean;
};

const leaves = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'th', 'dt', 'dd']);

/**
 * Puts the number of each line of the source in front of what it became, begins a new line where the source does, and
 * turns wikilinks and the metadata of tasks into what they mean. Runs after sanitising, so what it adds is kept.
 */
export function annotateLines({ skipped, lines, isPlain = false }: Options) {
  const number = (line: number): Element[] =>
    isPlain
      ? []
      : [
          {
            type: 'element',
            tagName: 'a',
            properties: {
              className: ['ln'],
              dataLine: line + skipped,
              href: `#L${line + skipped}`,
              tabIndex: -1,
              ariaHidden: 'true',
            },
            children: [],
          },
        ];

  const block = (element: Element, marked: { line: number }): void => {
    const walk = (nodes: ElementContent[], isFirst: () => boolean): ElementContent[] =>
      nodes.flatMap((node): ElementContent[] => {
        if (node.type === 'text') return textLines(node, marked, isFirst, number);
        if (node.type !== 'element') return [];
        if (node.tagName === 'br') return [];
        const line = node.position?.start.line ?? marked.line;
        const isInline = node.tagName === 'img' || node.tagName === 'input' || node.tagName === 'code';
        if (isInline && line > marked.line) {
          const before = startLine(line, marked, isFirst, number);
          return [...before, node];
        }
        return node.tagName === 'code' ? [node] : splitAtLines(node, walk(node.children, isFirst));
      });
    const start = marked.line;
    element.children = walk(element.children, () => marked.line === start);
  };

  const taken = new Map<string, number>();
  /** Headings of the same words are told apart by a number, as everywhere. */
  const idFor = (words: string): string => {
    const id = headingId(words);
    const count = taken.get(id) ?? 0;
    taken.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };

  const visit = (node: Root | Element, marked: { line: number }): void => {
    for (const [index, child] of node.children.entries()) {
      if (child.type !== 'element') continue;
      if (child.tagName === 'pre') code(child, lines, number);
      else if (leaves.has(child.tagName)) {
        const isUnderHeading = previous(node.children, index)?.startsWith('h') === true;
        if (/^h\d$/.test(child.tagName)) child.properties['id'] ??= idFor(textOf(child));
        block(child, marked);
        if (isUnderHeading && child.tagName === 'p') child.children = withTasks(child.children);
      } else if (child.tagName === 'li' && !child.children.some(isBlock)) block(child, marked);
      else if (child.tagName === 'li') tightItem(child, marked, { block, visit });
      else visit(child, marked);
    }
  };
  return () => (tree: Root) => {
    taken.clear();
    visit(tree, { line: 0 });
  };
}

/** An item whose text stands beside further lists: its own text first, then those. */
function tightItem(
  item: Element,
  marked: { line: number },
  go: {
    block: (element: Element, marked: { line: number }) => void;
    visit: (element: Element, marked: { line: number }) => void;
  },
): void {
  const at = item.children.findIndex(isBlock);
  const own: Element = { ...item, children: item.children.slice(0, at) };
  const rest: Element = { ...item, children: item.children.slice(at) };
  go.block(own, marked);
  go.visit(rest, marked);
  item.children = [...own.children, ...rest.children];
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}

function isBlock(node: ElementContent): boolean {
  return node.type === 'element' && /^(?:p|ul|ol|pre|blockquote|table|h\d|hr|div)$/.test(node.tagName);
}

function previous(children: readonly ElementContent[], index: number): string | undefined {
  const before = children.slice(0, index).findLast((node) => node.type === 'element');
  return before?.tagName;
}

type Numbered = (line: number) => Element[];

function startLine(
  line: number,
  marked: { line: number },
  isFirst: () => boolean,
  number: Numbered,
): Element[] {
  const isBegun = !isFirst();
  marked.line = line;
  return [...(isBegun ? [lineBreak()] : []), ...number(line)];
}

function textLines(
  node: Text,
  marked: { line: number },
  isFirst: () => boolean,
  number: Numbered,
): ElementContent[] {
  // What has no position stands in no line: it is space that the parser added.
  if (node.position === undefined) return node.value.trim() === '' ? [] : [node];
  const start = node.position.start.line;
  return node.value.split('\n').flatMap((text, index) => {
    const line = start + index;
    const before = line > marked.line ? startLine(line, marked, isFirst, number) : [];
    return [...before, ...(text === '' ? [] : withWikilinks(text))];
  });
}

/** An element that goes over several lines, as one for each: a number stands before a link, never in it. */
function splitAtLines(node: Element, children: ElementContent[]): ElementContent[] {
  const parts: ElementContent[] = [];
  let own: ElementContent[] = [];
  const close = (): void => {
    if (own.length > 0) parts.push({ ...node, children: own });
    own = [];
  };
  for (const child of children) {
    const isStart = child.type === 'element' && (child.tagName === 'br' || 'dataLine' in child.properties);
    if (isStart) {
      close();
      parts.push(child);
    } else own.push(child);
  }
  if (parts.length === 0) return [{ ...node, children }];
  close();
  return parts;
}

function lineBreak(): Element {
  return { type: 'element', tagName: 'br', properties: {}, children: [] };
}

const isImage = /\.(?:png|jpe?g|gif|webp|svg|avif)$/i;

function withWikilinks(text: string): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const { target, anchor, label, isEmbed, ...link } of wikilinksIn(text)) {
    if (link.start > end) parts.push({ type: 'text', value: text.slice(end, link.start) });
    const name = `${target}${anchor}`;
    if (isEmbed && isImage.test(target)) {
      const [, width] = /^(\d{1,4})(?:x\d{1,4})?$/.exec(label) ?? [];
      parts.push({
        type: 'element',
        tagName: 'img',
        properties: { dataWiki: name, alt: target, ...(width !== undefined && { width: Number(width) }) },
        children: [],
      });
      end = link.end;
      continue;
    }
    parts.push({
      type: 'element',
      tagName: 'a',
      properties: { dataWiki: name },
      // Of what is embedded the label is a size.
      children: [{ type: 'text', value: isEmbed || label === '' ? name : label }],
    });
    end = link.end;
  }
  if (end < text.length) parts.push({ type: 'text', value: text.slice(end) });
  return parts;
}

/** Lines of `status: … | prio: …` become chips; other lines stay as they are. */
function withTasks(children: ElementContent[]): ElementContent[] {
  return children.map((child) => {
    const parts = child.type === 'text' ? taskParts(child.value) : null;
    return parts === null ? child : chips(parts);
  });
}

function chips(parts: { key: string; value: string; isUrgent: boolean }[]): Element {
  return {
    type: 'element',
    tagName: 'span',
    properties: { className: ['chips'] },
    children: parts.map(({ key, value, isUrgent }) => ({
      type: 'element',
      tagName: 'span',
      properties: { className: isUrgent ? ['chip', 'urgent'] : ['chip'] },
      children: [
        { type: 'element', tagName: 'b', properties: {}, children: [{ type: 'text', value: key }] },
        { type: 'text', value },
      ],
    })),
  };
}

/** Each line of code gets its number; the fence itself is a line, too. */
function code(pre: Element, lines: readonly string[], number: Numbered): void {
  const inner = pre.children.find((node): node is Element => node.type === 'element');
  const text = inner?.children[0];
  const start = pre.position?.start.line ?? inner?.position?.start.line;
  if (inner === undefined || text?.type !== 'text' || start === undefined) return;
  const isFenced = /^[\s>*+\d.-]*(?:```|~~~)/.test(lines[start - 1] ?? '');
  const rows = text.value.replace(/\n$/, '').split('\n');
  inner.children = rows.flatMap((row, index) => [
    ...number(start + Number(isFenced) + index),
    { type: 'text' as const, value: `${row}\n` },
  ]);
}
