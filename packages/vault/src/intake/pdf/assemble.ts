import type { Block } from './block.ts';
import type { TextSpan } from './merge-lines.ts';
import { softHyphen } from './rejoin-hyphenation.ts';
import { plainText } from './format-spans.ts';

/** Joins the blocks of all pages into one document. */
export function assemble(pages: readonly Block[][]): Block[] {
  return assignHeadingLevels(joinPages(pages));
}

/** Joins paragraphs and tables that are split by the end of a page or column. */
function joinPages(pages: readonly Block[][]): Block[] {
  const joined: Block[] = [];
  for (const block of pages.flat()) {
    const index = joined.findLastIndex(({ kind }) => kind !== 'picture');
    const before = joined[index];
    const isText = before?.kind === 'paragraph' || before?.kind === 'item';
    if (isText && block.kind === 'paragraph' && continuesParagraph(before, block)) {
      joined[index] = { ...before, ...extent(block), pieces: joinPieces(before.pieces, block.pieces) };
    } else if (before?.kind === 'table' && block.kind === 'table' && continuesTable(before, block)) {
      joined[index] = {
        ...before,
        page: block.page,
        rows: [...before.rows, ...dropRepeatedHead(block, before)],
      };
    } else joined.push(block);
  }
  return joined;
}

type Table = Extract<Block, { kind: 'table' }>;

/** Whether a table continues the one on the previous page. */
function continuesTable(before: Table, block: Table): boolean {
  return block.page === before.page + 1 && block.rows[0]?.length === before.rows[0]?.length;
}

/** Drops the header row of a continued table, which many programs repeat on each page. */
function dropRepeatedHead({ rows }: Table, { rows: [head = []] }: Table): Table['rows'] {
  const textOf = (row: TextSpan[][]): string => row.map(plainText).join('|');
  return textOf(rows[0] ?? []) === textOf(head) ? rows.slice(1) : rows;
}

/** The position of the last part of a joined paragraph, which the next part may continue. */
function extent({
  page,
  room,
  top,
  bottom,
  left,
  right,
}: Paragraph): Omit<Paragraph, 'kind' | 'pieces' | 'size'> {
  return { page, room, top, bottom, left, right };
}

type Paragraph = Extract<Block, { kind: 'paragraph' }>;
type Item = Extract<Block, { kind: 'item' }>;

function continuesParagraph(before: Paragraph | Item, block: Paragraph): boolean {
  const isElsewhere = block.page > before.page || block.bottom < before.top;
  const isOfSize = before.kind === 'item' || Math.abs(before.size - block.size) < 0.6;
  if (!isElsewhere || !isOfSize) return false;
  const [end, start] = [plainText(before.pieces), plainText(block.pieces)];
  if (!/[.!?:;…»”")\]]$/.test(end) && /^\p{Ll}/u.test(start)) return true;
  // A line that has no room for the next word rarely ends a paragraph.
  const word = (start.split(' ', 1)[0]?.length ?? 0) * block.size * 0.45;
  return before.kind === 'paragraph' && end.length > 60 && before.room < word && !/[:!?]$/.test(end);
}

function joinPieces(before: readonly TextSpan[], after: readonly TextSpan[]): TextSpan[] {
  const last = before.at(-1);
  if (last === undefined) return [...after];
  const isDivided = /\p{L}[-\u2010]$/u.test(last.text);
  const text = isDivided ? `${last.text.slice(0, -1)}${softHyphen}` : `${last.text.trimEnd()} `;
  return [...before.slice(0, -1), { ...last, text }, ...after];
}

/** Ranks headings by size when the document does not state their level. Text that is only bold is never the title. */
function assignHeadingLevels(blocks: Block[]): Block[] {
  const sizes = blocks.flatMap((block) =>
    block.kind === 'heading' && block.level === undefined ? [roundSize(block.size)] : [],
  );
  const ranks = [...new Set(sizes)].toSorted((a, b) => b - a);
  return blocks.map((block) => {
    if (block.kind !== 'heading' || block.level !== undefined) return block;
    const level = Math.min(6, ranks.indexOf(roundSize(block.size)) + 1);
    return { ...block, level: block.isLarge ? level : Math.max(2, level) };
  });
}

function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}
