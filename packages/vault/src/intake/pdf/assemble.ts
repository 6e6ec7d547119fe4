import type { Block } from './block.ts';
import type { Piece } from './flow.ts';
import { division } from './mend-words.ts';
import { plainText } from './write-pieces.ts';

/** The blocks of all pages as one document. */
export function assemble(pages: readonly Block[][]): Block[] {
  return rankHeadings(joinPages(pages));
}

/** A paragraph or a table that a page or a column ends in the middle of goes on. */
function joinPages(pages: readonly Block[][]): Block[] {
  const joined: Block[] = [];
  for (const block of pages.flat()) {
    const index = joined.findLastIndex(({ kind }) => kind !== 'picture');
    const before = joined[index];
    const isText = before?.kind === 'paragraph' || before?.kind === 'item';
    if (isText && block.kind === 'paragraph' && goesOn(before, block)) {
      joined[index] = { ...before, ...extent(block), pieces: joinPieces(before.pieces, block.pieces) };
    } else if (before?.kind === 'table' && block.kind === 'table' && isNextPart(before, block)) {
      joined[index] = { ...before, page: block.page, rows: [...before.rows, ...withoutHead(block, before)] };
    } else joined.push(block);
  }
  return joined;
}

type Table = Extract<Block, { kind: 'table' }>;

/** A table that goes on on the next page. */
function isNextPart(before: Table, block: Table): boolean {
  return block.page === before.page + 1 && block.rows[0]?.length === before.rows[0]?.length;
}

/** Many programs repeat its head there. */
function withoutHead({ rows }: Table, { rows: [head = []] }: Table): Table['rows'] {
  const textOf = (row: Piece[][]): string => row.map(plainText).join('|');
  return textOf(rows[0] ?? []) === textOf(head) ? rows.slice(1) : rows;
}

/** Where it ends, now. */
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

function goesOn(before: Paragraph | Item, block: Paragraph): boolean {
  const isElsewhere = block.page > before.page || block.bottom < before.top;
  const isOfSize = before.kind === 'item' || Math.abs(before.size - block.size) < 0.6;
  if (!isElsewhere || !isOfSize) return false;
  const [end, start] = [plainText(before.pieces), plainText(block.pieces)];
  if (!/[.!?:;…»”")\]]$/.test(end) && /^\p{Ll}/u.test(start)) return true;
  // A last line without room for another word seldom ends a paragraph.
  const word = (start.split(' ', 1)[0]?.length ?? 0) * block.size * 0.45;
  return before.kind === 'paragraph' && end.length > 60 && before.room < word && !/[:!?]$/.test(end);
}

function joinPieces(before: readonly Piece[], after: readonly Piece[]): Piece[] {
  const last = before.at(-1);
  if (last === undefined) return [...after];
  const isDivided = /\p{L}[-\u2010]$/u.test(last.text);
  const text = isDivided ? `${last.text.slice(0, -1)}${division}` : `${last.text.trimEnd()} `;
  return [...before.slice(0, -1), { ...last, text }, ...after];
}

/** By size, where the document does not say how deep its headings are. What is only bold is no title. */
function rankHeadings(blocks: Block[]): Block[] {
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
