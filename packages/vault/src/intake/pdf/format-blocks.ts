import { unescapeListNumber } from '../markdown/escape-markdown.ts';
import { markdownTable } from '../markdown/markdown-table.ts';
import type { ImageCollector } from '../markdown/image-collector.ts';
import { lineBreak, tidyMarkdown } from '../markdown/tidy-markdown.ts';
import type { Block } from './block.ts';
import type { TextSpan } from './merge-lines.ts';
import { rejoinHyphenation } from './rejoin-hyphenation.ts';
import { writePieces } from './format-spans.ts';

export function writeBlocks(blocks: readonly Block[], { keep }: Pick<ImageCollector, 'keep'>): string {
  const depths = new Map<number, number>();
  const texts = blocks.map((block, index) => {
    const text = writeBlock(block, keep, depths);
    if (block.kind !== 'item') depths.clear();
    const isInList = block.kind === 'item' && blocks[index - 1]?.kind === 'item';
    return text === '' ? '' : `${isInList ? '\n' : '\n\n'}${text}`;
  });
  return tidyMarkdown(rejoinHyphenation(texts.join('')));
}

/** `indents` maps a depth to the indentation of the item's text, which nested blocks share. */
function writeBlock(block: Block, keep: ImageCollector['keep'], indents: Map<number, number>): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level ?? 2)} ${headline(block.pieces)}`;
    case 'paragraph':
      return writePieces(block.pieces);
    case 'quotation':
      return writePieces(block.pieces).replaceAll(/^/gm, '> ');
    case 'item':
      return writeItem(block, indents);
    case 'code':
      return `\`\`\`\n${block.text}\n\`\`\``;
    case 'table':
      return writeTable(block.rows);
    case 'picture': {
      const name = keep(block.bytes);
      return name === undefined ? '' : `![${block.description}](${name})`;
    }
    default:
      return block satisfies never;
  }
}

function headline(pieces: readonly TextSpan[]): string {
  return unescapeListNumber(oneLine(writePieces(pieces, { isPlain: true })));
}

function writeItem(
  { marker, depth, pieces }: Extract<Block, { kind: 'item' }>,
  indents: Map<number, number>,
): string {
  const indent = depth === 0 ? 0 : (indents.get(depth - 1) ?? 0);
  const [, number] = /^(\d{1,3})[.)]$/.exec(marker) ?? [];
  const isLettered = number === undefined && /[\p{L}\d]/u.test(marker);
  const mark = number === undefined ? '- ' : `${number}. `;
  indents.set(depth, indent + mark.length);
  const text = `${isLettered ? `${marker} ` : ''}${writePieces(pieces)}`;
  return `${' '.repeat(indent)}${mark}${text.replaceAll('\n', `\n${' '.repeat(indent + mark.length)}`)}`;
}

function writeTable(rows: readonly TextSpan[][][]): string {
  const [head = [], ...body] = rows;
  return markdownTable([
    head.map((cell) => unescapeListNumber(oneLine(writePieces(cell, { isPlain: true })))),
    ...body.map((row) => row.map((cell) => unescapeListNumber(oneLine(writePieces(cell))))),
  ]);
}

function oneLine(markdown: string): string {
  return markdown.replaceAll(new RegExp(`${lineBreak}?\n`, 'g'), ' ');
}
