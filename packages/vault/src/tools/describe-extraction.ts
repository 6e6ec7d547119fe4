import type { ConcatValue } from '../contract/index.ts';
import type { Extraction } from '../search/index.ts';
import { formatPath } from '../vault/index.ts';
import type { LineRange, VaultPath } from '../vault/index.ts';

/** The part of a block that says where its lines come from. */
type Block = {
  path: VaultPath;
  extracted?: Extraction | null;
  body: { kind: 'lines'; first: number; lines: string[] } | { kind: 'folded' | 'image' };
};

/** The field of a result for extracted lines; it is absent for others. */
export function toExtractedValue(block: Block): Pick<ConcatValue['blocks'][number], 'extracted'> {
  return block.extracted == null ? {} : { extracted: { pages: block.extracted.pagesOf(linesOf(block)) } };
}

function linesOf({ body }: Block): LineRange {
  return body.kind === 'lines'
    ? { start: body.first, end: body.first + body.lines.length - 1 }
    : { start: 1, end: Infinity };
}

/** Says which blocks are text that was extracted from a document: a note for each document, and one for each loss. */
export function describeExtractions(blocks: readonly Block[]): string[] {
  const documents = Map.groupBy(
    blocks.filter(({ extracted }) => extracted != null),
    ({ path }) => path,
  );
  return [...documents].flatMap(([path, all]) => {
    const { pages: count, warnings } = all[0]?.extracted ?? { pages: null, warnings: [] };
    const pages = all.flatMap((block) => toExtractedValue(block).extracted?.pages ?? []);
    const place = count === null ? '' : `, ${formatPages(pages)} of ${count}`;
    return [`extracted text${place}`, ...warnings].map((text) => `${formatPath(path)}: ${text}`);
  });
}

function formatPages(pages: readonly LineRange[]): string {
  const names = new Set(pages.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`)));
  const list = [...names].join(', ');
  return `${/^\d+$/.test(list) ? 'page' : 'pages'} ${list}`;
}
