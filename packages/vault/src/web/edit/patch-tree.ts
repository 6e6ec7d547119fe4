import { NodeType, Tree } from '@lezer/common';
import type { Input, Parser, ParseWrapper, SyntaxNode, TreeFragment } from '@lezer/common';

/** A part of a document before or after a change. */
type Region = { from: number; to: number };
type Block = { tree: Tree; from: number };

/** The maximum number of children of a node of a patched tree; the parser then builds a balanced tree again. */
const maxChildren = 64;

/**
 * Parses a document that was changed in one place: only the blocks around the change, because the parser for markdown looks at every block
 * of a note after every key. If the change may affect other blocks, the whole document is parsed.
 */
export function parseAroundChange(parser: () => Parser): ParseWrapper {
  return (inner, input, fragments, ranges) => {
    const isWhole = ranges.length === 1 && ranges[0]?.from === 0 && ranges[0].to === input.length;
    const tree = isWhole ? patchTree(parser(), input, fragments) : null;
    if (tree === null) return inner;
    return { parsedPos: input.length, stoppedAt: null, stopAt: () => undefined, advance: () => tree };
  };
}

/** The tree of a changed document; null if it cannot be made from the tree before the change. */
export function patchTree(parser: Parser, input: Input, fragments: readonly TreeFragment[]): Tree | null {
  const change = findChange(input, fragments);
  if (change === null) return null;
  const { old, before, delta } = change;
  const previous = old.topNode.childBefore(before.from + 1)?.prevSibling ?? null;
  const next = old.topNode.childAfter(before.to - 1)?.nextSibling ?? null;
  const region = { from: previous?.from ?? 0, to: next?.to ?? old.length };
  const now = { from: region.from, to: region.to + delta };
  if (!hasWholeLines(input, now)) return null;
  const blocks = blocksOf(parser.parse(input.read(now.from, now.to)), now.from);
  // The blocks next to the changed ones are parsed again. If they are as before, so is everything beyond them.
  if (blocks === null || !isSame(blocks[0], previous, 0) || !isSame(blocks.at(-1), next, delta)) return null;
  return replaceBlocks(old, { region, delta, blocks, length: input.length });
}

/** The place of a single change in the document before it, and by how much it made the document longer. */
function findChange(
  { length }: Input,
  [head, tail, ...others]: readonly TreeFragment[],
): { old: Tree; before: Region; delta: number } | null {
  if (head === undefined || head.from !== 0 || head.offset !== 0 || others.length > 0) return null;
  const old = head.tree;
  const delta = length - old.length;
  const isTail = tail === undefined || (tail.tree === old && tail.to === length && tail.offset === -delta);
  if (!isTail || old.type.isAnonymous) return null;
  return { old, delta, before: { from: head.to, to: (tail?.from ?? length) - delta } };
}

function isSame(block: Block | undefined, node: SyntaxNode | null, offset: number): boolean {
  if (node === null) return true;
  return (
    block?.from === node.from + offset &&
    block.tree.type === node.type &&
    block.tree.length === node.to - node.from
  );
}

function hasWholeLines(input: Input, { from, to }: Region): boolean {
  const isStart = from === 0 || input.read(from - 1, from) === '\n';
  return isStart && (to >= input.length || input.read(to, to + 1) === '\n') && from <= to;
}

/** The blocks of a document, with their positions in a larger one. */
function blocksOf(node: Tree, from: number): Block[] | null {
  const blocks: Block[] = [];
  for (const [index, tree] of node.children.entries()) {
    if (!(tree instanceof Tree)) return null;
    const at = from + (node.positions[index] ?? 0);
    const found = tree.type === NodeType.none ? blocksOf(tree, at) : [{ tree, from: at }];
    if (found === null) return null;
    blocks.push(...found);
  }
  return blocks;
}

type Replacement = { region: Region; delta: number; blocks: Block[]; length: number };

/** Replaces the blocks of a region. All nodes outside of it are used again. */
function replaceBlocks(document: Tree, { region, delta, blocks, length }: Replacement): Tree | null {
  let isPlaced = false;
  /** The children of a node with their new positions in the document. */
  const childrenOf = (node: Tree, from: number): Block[] | null => {
    const children: Block[] = [];
    const placeBlocks = (): void => {
      if (!isPlaced) children.push(...blocks);
      isPlaced = true;
    };
    for (const [index, tree] of node.children.entries()) {
      const at = from + (node.positions[index] ?? 0);
      const to = at + tree.length;
      if (!(tree instanceof Tree)) return null;
      if (to <= region.from) children.push({ tree, from: at });
      else if (at >= region.to) {
        placeBlocks();
        children.push({ tree, from: at + delta });
      } else if (tree.type !== NodeType.none) placeBlocks();
      else {
        const own = childrenOf(tree, at);
        if (own === null) return null;
        const start = own[0]?.from;
        if (start !== undefined) children.push({ tree: nodeOf(tree, own, start), from: start });
      }
    }
    return children.length > maxChildren ? null : children;
  };
  const children = childrenOf(document, 0);
  if (children === null || !isPlaced) return null;
  return nodeOf(document, children, 0, length);
}

function nodeOf({ type, propValues }: Tree, children: readonly Block[], from: number, length?: number): Tree {
  const last = children.at(-1);
  return new Tree(
    type,
    children.map(({ tree }) => tree),
    children.map((child) => child.from - from),
    length ?? (last === undefined ? 0 : last.from + last.tree.length - from),
    propValues,
  );
}
