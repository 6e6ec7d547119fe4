import { parseTaskFields } from '../../contract/index.ts';
import type { Element, ElementContent, Root, Text } from './hast.ts';
import { headingId } from '../../contract/index.ts';
import { blockId } from './heading-id.ts';
import { parseInline } from './parse-inline.ts';

type Options = {
  /** Number of lines of the file before this text. */
  lineOffset: number;
  /** The lines of the text, to find where code starts. */
  lines: readonly string[];
  /** Leaves out line numbers, for text that is not in a file. */
  isPlain?: boolean;
  /** Lowers headings by one level and leaves out their ids, for text inside of a page. */
  isPassage?: boolean;
  /** Called for each heading outside of embedded notes. */
  onHeading?: (heading: Heading) => void;
};

const leaves = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'th', 'dt', 'dd', 'summary']);
const ownDirection = /^(?:p|h\d|li|ul|ol|td|th|summary|blockquote)$/;
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/**
 * Adds the source line number before each rendered line, breaks lines where the source does, and renders wikilinks and task fields.
 * Runs after sanitizing, which would remove the elements it adds.
 */
export function rehypeLineNumbers({
  lineOffset,
  lines,
  isPlain = false,
  isPassage = false,
  onHeading,
}: Options) {
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
              dataLine: line + lineOffset,
              href: `#L${line + lineOffset}`,
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
        // A new source line already starts a new line.
        if (node.tagName === 'br') return startsNewLine(nodes[index + 1]) ? [] : [node];
        const line = node.position?.start.line ?? marked.line;
        if (whole.has(node.tagName) && line > marked.line) {
          const before = startLine(line, { marked, isFirst, number });
          return [...before, toMathBlock(node, lines)];
        }
        if (node.tagName === 'code') return [toMathBlock(node, lines)];
        return splitAtLines(node, walk(node.children, isLinked || node.tagName === 'a'));
      });
    element.children = unwrapEmbeds(element, walk(element.children, false));
    extractBlockId(element);
  };

  const taken = new Map<string, number>();
  /** Repeated headings get a numeric suffix, as on GitHub. */
  const idFor = (words: string): string => {
    const id = headingId(words);
    const count = taken.get(id) ?? 0;
    taken.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };

  const asHeading = (element: Element, isTop: boolean): void => {
    if (isPassage) {
      // The text is inside of a page or note, which has the top heading and may have the same ids.
      delete element.properties['id'];
      element.tagName = `h${Math.min(Number(element.tagName.slice(1)) + 1, 6)}`;
      return;
    }
    const text = textOf(element).trim();
    const id = (element.properties['id'] ??= idFor(text));
    const line = (element.position?.start.line ?? 0) + lineOffset;
    if (isTop && text !== '' && line > lineOffset)
      onHeading?.({ depth: Number(element.tagName.slice(1)), id, text, line });
  };

  const visit = (node: Root | Element, marked: { line: number }): void => {
    for (const [index, child] of node.children.entries()) {
      if (child.type !== 'element') continue;
      if (hasBothDirections && ownDirection.test(child.tagName)) child.properties['dir'] = 'auto';
      if (child.tagName === 'li') tagTaskCheckbox(child, lineOffset);
      if (child.tagName === 'pre') code(child, lines, number);
      else if (leaves.has(child.tagName) && !child.children.some(isBlock)) {
        const isUnderHeading = previous(node.children, index)?.startsWith('h') === true;
        if (/^h\d$/.test(child.tagName)) asHeading(child, node.type === 'root');
        block(child, marked);
        if (isUnderHeading && child.tagName === 'p') child.children = renderTaskFields(child.children);
      } else if (child.children.some(isBlock) && child.children.some(isInlineContent))
        wrapInlineRuns(child, marked, { block, visit });
      else if (child.children.some(isBlock)) visit(child, marked);
      else if (child.tagName === 'li' || child.children.some(isInlineContent)) block(child, marked);
      else visit(child, marked);
    }
  };
  return () => (tree: Root) => visit(tree, { line: 0 });
}

/** A heading of the note itself, for its outline. */
export type Heading = { depth: number; id: string; text: string; line: number };

/** Elements without text lines inside, whose own position decides the line number. */
const whole = new Set(['img', 'input', 'code']);

function isInlineContent(node: ElementContent): boolean {
  if (node.type === 'text') return node.value.trim() !== '';
  return node.type === 'element' && !isBlock(node);
}

function startsNewLine(node: ElementContent | undefined): boolean {
  return node?.type === 'text' && node.value.startsWith('\n');
}

/** Stores the line number of a task on its checkbox. */
function tagTaskCheckbox(item: Element, lineOffset: number): void {
  const line = item.position?.start.line;
  const first = item.children.find((node) => node.type === 'element');
  const box = first?.tagName === 'p' ? first.children.find((node) => node.type === 'element') : first;
  if (line === undefined || box?.type !== 'element' || box.tagName !== 'input') return;
  box.properties['dataTask'] = line + lineOffset;
  box.properties['ariaLabel'] = (first?.tagName === 'p' ? textOf(first) : itemText(item)).trim();
}

/** The text of a list item without its nested lists. */
function itemText(item: Element): string {
  const at = item.children.findIndex(isBlock);
  return item.children
    .slice(0, at < 0 ? undefined : at)
    .map(textOf)
    .join('');
}

/** Renders `$$…$$` inside a line as a display formula. */
function toMathBlock(node: Element, lines: readonly string[]): Element {
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

/** Embedded notes are block content, so a paragraph that contains nothing else is replaced by them. */
function unwrapEmbeds(element: Element, children: ElementContent[]): ElementContent[] {
  const isEmbed = (node: ElementContent): boolean =>
    node.type === 'element' && node.properties['dataEmbed'] === true;
  const isNothing = (node: ElementContent): boolean =>
    node.type === 'element' ? node.tagName === 'br' || 'dataLine' in node.properties : !isInlineContent(node);
  if (element.tagName !== 'p' || !children.some(isEmbed)) return children;
  if (!children.every((node) => isEmbed(node) || isNothing(node))) return children;
  element.tagName = 'div';
  return children.flatMap((node) => {
    if (node.type !== 'element' || node.tagName === 'br') return [];
    return [isEmbed(node) ? { ...node, tagName: 'div' } : node];
  });
}

/** Turns `^name` at the end of a block into its id, as in Obsidian. */
function extractBlockId(element: Element): void {
  const last = element.children.at(-1);
  if (last?.type !== 'text') return;
  const [mark, name] = /(?:^|\s)\^([\w-]{1,100})\s*$/.exec(last.value) ?? [];
  if (mark === undefined || name === undefined) return;
  element.properties['id'] ??= blockId(name);
  last.value = last.value.slice(0, -mark.length);
}

type Visitor = {
  block: (element: Element, marked: { line: number }) => void;
  visit: (element: Element, marked: { line: number }) => void;
};

/** Treats each run of inline content next to blocks (for example above a nested list) like a paragraph. */
function wrapInlineRuns(element: Element, marked: { line: number }, go: Visitor): void {
  const children: ElementContent[] = [];
  let words: ElementContent[] = [];
  const close = (): void => {
    const own: Element = { ...element, children: words };
    if (words.some(isInlineContent)) go.block(own, marked);
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

type LineNumberFor = (line: number) => Element[];

type LineContext = { marked: { line: number }; isFirst: () => boolean; number: LineNumberFor };

function startLine(line: number, { marked, isFirst, number }: LineContext): Element[] {
  const isBegun = !isFirst();
  marked.line = line;
  return [...(isBegun ? [lineBreak()] : []), ...number(line)];
}

function textLines(node: Text, isLinked: boolean, context: LineContext): ElementContent[] {
  // Text without a position is whitespace that the parser added.
  if (node.position === undefined) return node.value.trim() === '' ? [] : [node];
  const start = node.position.start.line;
  return node.value.split('\n').flatMap((text, index) => {
    const line = start + index;
    const before = line > context.marked.line ? startLine(line, context) : [];
    return [...before, ...(text === '' ? [] : parseInline(text, isLinked))];
  });
}

/** Splits an inline element at line breaks, so that a line number is placed before a link and never inside it. */
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

/** Renders lines such as `status: … | prio: …` as chips. Other lines are unchanged. */
function renderTaskFields(children: ElementContent[]): ElementContent[] {
  return children.map((child) => {
    const parts = child.type === 'text' ? parseTaskFields(child.value) : null;
    return parts === null ? child : taskChips(parts);
  });
}

function taskChips(parts: { key: string; value: string; isUrgent: boolean }[]): Element {
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

/** Numbers each line of a code block. The fence counts as a line. */
function code(pre: Element, lines: readonly string[], number: LineNumberFor): void {
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
