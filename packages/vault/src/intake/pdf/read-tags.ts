import type { Block } from './block.ts';
import { codeOf } from './code.ts';
import { findEdges } from './find-edges.ts';
import type { FindEdges } from './find-edges.ts';
import { mergeLines, remainingWidth } from './merge-lines.ts';
import { hasDotLeader, removeDotLeader } from './leaders.ts';
import { toLines } from './line.ts';
import type { Line } from './line.ts';
import { markerOf, withoutMarker } from './list-marker.ts';
import { readColumn } from './read-column.ts';
import type { Body } from './read-column.ts';
import type { PageText, TagNode } from './read-page.ts';
import { boundingBox } from './run.ts';
import type { Run } from './run.ts';
import { readTaggedTable } from './tagged-table.ts';
import { plainText } from './format-spans.ts';

type Page = { number: number; body: Body; edgesOf: FindEdges; runsOf: (node: TagNode) => Run[] };

/** Reads the blocks of a page from the tags of the document; undefined if the tags omit much of the page. */
export function readTags({ tags, runs, number }: PageText, body: Body): Block[] | undefined {
  if (tags === undefined || runs.length === 0) return undefined;
  const contents = Map.groupBy(runs, ({ contentId }) => contentId ?? '');
  const runsOf = (node: TagNode): Run[] =>
    node.type === 'content' ? (contents.get(node.id ?? '') ?? []) : (node.children ?? []).flatMap(runsOf);
  const tagged = new Set(runsOf(tags));
  const rest = runs.filter((run) => !tagged.has(run));
  if (lettersOf(rest) > lettersOf(runs) * 0.1) return undefined;
  const blocks = readNode(tags, 0, { number, body, edgesOf: findEdges(runs), runsOf });
  return [...blocks, ...readColumn(toLines(rest), number, body)];
}

function lettersOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

/** `depth` is the number of enclosing lists. */
function readNode(node: TagNode, depth: number, page: Page): Block[] {
  const role = node.role ?? '';
  if (role === 'Table') return readTable(node, page);
  if (role === 'LI') return readItem(node, depth, page);
  const isText = /^(?:H\d?|Title|P|Code|Caption|Note|FENote|BibEntry)$/.test(role);
  if (isText && (node.children ?? []).every(isInline)) return toBlocks(page.runsOf(node), role, page);
  return readChildren(node, role === 'L' ? depth + 1 : depth, page);
}

const inline =
  /^(?:Span|NonStruct|Link|Reference|Em|Strong|Quote|Lbl|Ruby|RB|RT|Annot|Sub|Formula|Form|Figure)$/;

function isInline({ type, role = '', children = [] }: TagNode): boolean {
  return type !== undefined || (inline.test(role) && children.every(isInline));
}

/** Turns text that is directly between blocks into paragraphs. */
function readChildren(node: TagNode, depth: number, page: Page): Block[] {
  const blocks: Block[] = [];
  let loose: Run[] = [];
  for (const child of node.children ?? []) {
    if (isInline(child)) loose.push(...page.runsOf(child));
    else {
      blocks.push(...toBlocks(loose, 'P', page), ...readNode(child, depth, page));
      loose = [];
    }
  }
  return [...blocks, ...toBlocks(loose, node.role ?? 'P', page)];
}

function readItem(node: TagNode, depth: number, page: Page): Block[] {
  const own: Run[] = [];
  const below: Block[] = [];
  const visit = (child: TagNode): void => {
    if (child.role === 'L' || child.role === 'Table') below.push(...readNode(child, depth, page));
    else if (isInline(child)) own.push(...page.runsOf(child));
    else (child.children ?? []).forEach(visit);
  };
  (node.children ?? []).forEach(visit);
  const lines = inOrder(own);
  if (lines.length === 0) return below;
  const pieces = mergeLines(lines, page.edgesOf(lines));
  const marker = markerOf(plainText(pieces));
  const item: Block = {
    ...boundingBox(lines),
    page: page.number,
    kind: 'item',
    marker: marker || '•',
    depth: Math.max(0, depth - 1),
    pieces: withoutMarker(pieces, marker),
  };
  return [item, ...below];
}

function readTable(node: TagNode, page: Page): Block[] {
  const captions = (node.children ?? []).filter(({ role }) => role === 'Caption');
  const lines = toLines(page.runsOf(node));
  if (lines.length === 0) return [];
  const table: Block = {
    ...boundingBox(lines),
    page: page.number,
    kind: 'table',
    rows: readTaggedTable(node, page.runsOf),
  };
  return [...captions.flatMap((caption) => readChildren(caption, 0, page)), table];
}

function toBlocks(runs: readonly Run[], role: string, { number, edgesOf, body }: Page): Block[] {
  const lines = inOrder(runs);
  const last = lines.at(-1);
  if (last === undefined) return [];
  const place = { ...boundingBox(lines), page: number };
  if (lines.length > 1 && lines.every(({ isMono }) => isMono)) {
    return [{ ...place, kind: 'code', text: codeOf(lines, body.leading) }];
  }
  const pieces = mergeLines(lines, edgesOf(lines));
  if (hasDotLeader(last.text))
    return [{ ...place, kind: 'item', marker: '•', depth: 0, pieces: removeDotLeader(pieces) }];
  if (/^(?:H\d?|Title)$/.test(role)) {
    return [
      { ...place, kind: 'heading', pieces, size: last.size, isLarge: true, level: Number(role[1]) || 1 },
    ];
  }
  if (role === 'BlockQuote') return [{ ...place, kind: 'quotation', pieces }];
  return [
    {
      ...place,
      kind: 'paragraph',
      pieces,
      size: last.size,
      room: remainingWidth(last, edgesOf(lines)(last)),
    },
  ];
}

/** Orders lines by their tags instead of their position, because a paragraph may continue in the next column. */
function inOrder(runs: readonly Run[]): Line[] {
  const groups: Run[][] = [];
  for (const run of runs) {
    const before = groups.at(-1)?.at(-1);
    const isBeside = before && Math.abs(run.y - before.y) < Math.max(before.size, run.size) * 0.6;
    if (isBeside) groups.at(-1)?.push(run);
    else groups.push([run]);
  }
  return groups.flatMap((group) => toLines(group));
}
