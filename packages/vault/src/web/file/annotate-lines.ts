import { taskParts } from '../../contract/index.ts';
import type { Element, ElementContent, Root, Text } from './hast.ts';
import { headingId } from '../../contract/index.ts';
import { blockId } from './heading-id.ts';
import { inlineParts } from './inline-parts.ts';

type Options = {
  /** Lines before the first one of this text. */
  skipped: number;
  /** The text, to see where code begins. */
  lines: readonly string[];
  /** No numbers, as for text that stands in no file. */
  isPlain?: boolean;
  /** Told of each heading of the text itself. */
  onHeading?: (heading: Heading) => void;
};

const leaves = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'th', 'dt', 'dd', 'summary']);
const ownDirection = /^(?:p|h\d|li|ul|ol|td|th|summary|blockquote)$/;
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/**
 * Puts the number of each line of the source in front of what it became, begins a new line where the source does, and
 * turns wikilinks and the metadata of tasks into what they mean. Runs after sanitising, so what it adds is kept.
 */
export function annotateLines({ skipped, lines, isPlain = false, onHeading }: Options) {
  const hasBothDirections = lines.some((line) => rightToLeft.test(line));
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
    const start = marked.line;
    const isFirst = (): boolean => marked.line === start;
    const walk = (nodes: ElementContent[], isLinked: boolean): ElementContent[] =>
      nodes.flatMap((node, index): ElementContent[] => {
        if (node.type === 'text') return textLines(node, isLinked, { marked, isFirst, number });
        if (node.type !== 'element') return [];
        // A new line of the source begins one anyway.
        if (node.tagName === 'br') return startsLine(nodes[index + 1]) ? [] : [node];
        const line = node.position?.start.line ?? marked.line;
        if (whole.has(node.tagName) && line > marked.line) {
          const before = startLine(line, { marked, isFirst, number });
          return [...before, asMath(node, lines)];
        }
        if (node.tagName === 'code') return [asMath(node, lines)];
        return splitAtLines(node, walk(node.children, isLinked || node.tagName === 'a'));
      });
    element.children = withEmbeds(element, walk(element.children, false));
    takeBlockId(element);
  };

  const taken = new Map<string, number>();
  /** Headings of the same words are told apart by a number, as everywhere. */
  const idFor = (words: string): string => {
    const id = headingId(words);
    const count = taken.get(id) ?? 0;
    taken.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };

  const asHeading = (element: Element, isTop: boolean): void => {
    const text = textOf(element).trim();
    const id = (element.properties['id'] ??= idFor(text));
    const line = (element.position?.start.line ?? 0) + skipped;
    if (isTop && text !== '' && line > skipped)
      onHeading?.({ depth: Number(element.tagName.slice(1)), id, text, line });
  };

  const visit = (node: Root | Element, marked: { line: number }): void => {
    for (const [index, child] of node.children.entries()) {
      if (child.type !== 'element') continue;
      if (hasBothDirections && ownDirection.test(child.tagName)) child.properties['dir'] = 'auto';
      if (child.tagName === 'li') markTask(child, skipped);
      if (child.tagName === 'pre') code(child, lines, number);
      else if (leaves.has(child.tagName) && !child.children.some(isBlock)) {
        const isUnderHeading = previous(node.children, index)?.startsWith('h') === true;
        if (/^h\d$/.test(child.tagName)) asHeading(child, node.type === 'root');
        block(child, marked);
        if (isUnderHeading && child.tagName === 'p') child.children = withTasks(child.children);
      } else if (child.children.some(isBlock) && child.children.some(isWords))
        mixed(child, marked, { block, visit });
      else if (child.children.some(isBlock)) visit(child, marked);
      else if (child.tagName === 'li' || child.children.some(isWords)) block(child, marked);
      else visit(child, marked);
    }
  };
  return () => (tree: Root) => visit(tree, { line: 0 });
}

/** A heading of the note itself, for its outline. */
export type Heading = { depth: number; id: string; text: string; line: number };

/** What is one piece, and so begins its line with a number of its own. */
const whole = new Set(['img', 'input', 'code']);

function isWords(node: ElementContent): boolean {
  if (node.type === 'text') return node.value.trim() !== '';
  return node.type === 'element' && !isBlock(node);
}

function startsLine(node: ElementContent | undefined): boolean {
  return node?.type === 'text' && node.value.startsWith('\n');
}

/** The box of a task knows the line it stands on. */
function markTask(item: Element, skipped: number): void {
  const line = item.position?.start.line;
  const first = item.children.find((node) => node.type === 'element');
  const box = first?.tagName === 'p' ? first.children.find((node) => node.type === 'element') : first;
  if (line === undefined || box?.type !== 'element' || box.tagName !== 'input') return;
  box.properties['dataTask'] = line + skipped;
  box.properties['ariaLabel'] = (first?.tagName === 'p' ? textOf(first) : ownText(item)).trim();
}

/** Without what is listed below it. */
function ownText(item: Element): string {
  const at = item.children.findIndex(isBlock);
  return item.children
    .slice(0, at < 0 ? undefined : at)
    .map(textOf)
    .join('');
}

/** `$$…$$` within a line is set apart, as on a line of its own. */
function asMath(node: Element, lines: readonly string[]): Element {
  const names = node.properties['className'];
  if (node.tagName !== 'code' || !Array.isArray(names) || !names.includes('math-inline')) return node;
  const { line = 0, column = 0 } = node.position?.start ?? {};
  const isApart = lines[line - 1]?.startsWith('$$', column - 1) === true;
  return {
    ...node,
    tagName: 'span',
    properties: { dataMath: textOf(node), ...(isApart && { dataApart: true }) },
  };
}

/** A paragraph of nothing but embedded notes is no paragraph. */
function withEmbeds(element: Element, children: ElementContent[]): ElementContent[] {
  const isEmbed = (node: ElementContent): boolean =>
    node.type === 'element' && node.properties['dataEmbed'] === true;
  const isNothing = (node: ElementContent): boolean =>
    node.type === 'element' ? node.tagName === 'br' || 'dataLine' in node.properties : !isWords(node);
  if (element.tagName !== 'p' || !children.some(isEmbed)) return children;
  if (!children.every((node) => isEmbed(node) || isNothing(node))) return children;
  element.tagName = 'div';
  return children.flatMap((node) => {
    if (node.type !== 'element' || node.tagName === 'br') return [];
    return [isEmbed(node) ? { ...node, tagName: 'div' } : node];
  });
}

/** `^name` at the end names a paragraph, for links to it. */
function takeBlockId(element: Element): void {
  const last = element.children.at(-1);
  if (last?.type !== 'text') return;
  const [mark, name] = /(?:^|\s)\^([\w-]{1,100})\s*$/.exec(last.value) ?? [];
  if (mark === undefined || name === undefined) return;
  element.properties['id'] ??= blockId(name);
  last.value = last.value.slice(0, -mark.length);
}

type Go = {
  block: (element: Element, marked: { line: number }) => void;
  visit: (element: Element, marked: { line: number }) => void;
};

/** Words that stand beside blocks, as in an item above its own list: each run of them is like a paragraph. */
function mixed(element: Element, marked: { line: number }, go: Go): void {
  const children: ElementContent[] = [];
  let words: ElementContent[] = [];
  const close = (): void => {
    const own: Element = { ...element, children: words };
    if (words.some(isWords)) go.block(own, marked);
    children.push(...own.children);
    words = [];
  };
  for (const child of element.children) {
    if (!isBlock(child)) {
      words.push(child);
      continue;
    }
    close();
    const holder: Element = { ...element, children: [child] };
    go.visit(holder, marked);
    children.push(...holder.children);
  }
  close();
  element.children = children;
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}

const blocks =
  /^(?:p|ul|ol|li|dl|dt|dd|pre|blockquote|table|thead|tbody|tfoot|tr|td|th|h\d|hr|div|details|summary|section|figure|figcaption)$/;

function isBlock(node: ElementContent): boolean {
  return node.type === 'element' && blocks.test(node.tagName);
}

function previous(children: readonly ElementContent[], index: number): string | undefined {
  const before = children.slice(0, index).findLast((node) => node.type === 'element');
  return before?.tagName;
}

type Numbered = (line: number) => Element[];

type Place = { marked: { line: number }; isFirst: () => boolean; number: Numbered };

function startLine(line: number, { marked, isFirst, number }: Place): Element[] {
  const isBegun = !isFirst();
  marked.line = line;
  return [...(isBegun ? [lineBreak()] : []), ...number(line)];
}

function textLines(node: Text, isLinked: boolean, place: Place): ElementContent[] {
  // What has no position stands in no line: it is space that the parser added.
  if (node.position === undefined) return node.value.trim() === '' ? [] : [node];
  const start = node.position.start.line;
  return node.value.split('\n').flatMap((text, index) => {
    const line = start + index;
    const before = line > place.marked.line ? startLine(line, place) : [];
    return [...before, ...(text === '' ? [] : inlineParts(text, isLinked))];
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
  const start = pre.position?.start.line ?? inner?.position?.start.line;
  if (inner === undefined || start === undefined) return;
  const text = textOf(inner);
  const names = inner.properties['className'];
  if (Array.isArray(names) && names.includes('language-math')) {
    pre.tagName = 'div';
    pre.properties = { dataMath: text.trim(), dataApart: true };
    pre.children = number(start);
    return;
  }
  const isFenced = /^[\s>*+\d.-]*(?:```|~~~)/.test(lines[start - 1] ?? '');
  const rows = text.replace(/\n$/, '').split('\n');
  inner.children = rows.flatMap((row, index) => [
    ...number(start + Number(isFenced) + index),
    { type: 'text' as const, value: `${row}\n` },
  ]);
}
