import type { Block } from './block.ts';
import type { InspectedPages } from './inspect-pages.ts';
import type { PageText } from './read-page.ts';

/**
 * Resolutions in dpi: one at which text is readable, and a lower one for pages whose image would be too large, such as
 * photographs.
 */
const [scanDpi, reducedScanDpi] = [120, 90];
const maxScanBytes = 1_500_000;

type Scans = { blocks: Map<number, Block[]>; warnings: string[] };

/** Renders pages without text as images, within the limits for size and time. */
export async function renderScans(
  pages: readonly PageText[],
  inspected: InspectedPages | undefined,
  { images, end }: { images: number; end: number },
): Promise<Scans> {
  const blocks = new Map<number, Block[]>();
  if (inspected === undefined) return { blocks, warnings: [] };
  const [shown, left]: [number[], number[]] = [[], []];
  let dpi = scanDpi;
  for (const page of pages.filter((each) => isScan(each, inspected))) {
    if (shown.length >= images || performance.now() > end) {
      left.push(page.number);
      continue;
    }
    let bytes = await inspected.render(page.number, dpi);
    if (dpi === scanDpi && bytes !== undefined && bytes.length > maxScanBytes) {
      dpi = reducedScanDpi;
      bytes = await inspected.render(page.number, dpi);
    }
    if (bytes === undefined) continue;
    blocks.set(page.number, [pictureOf(page, bytes)]);
    shown.push(page.number);
  }
  return { blocks, warnings: explain(shown, left) };
}

/** Whether a page has no text, or is an image with only a stamp as text. */
function isScan({ number, runs, rotatedRuns }: PageText, { pages }: InspectedPages): boolean {
  const letters = [...runs, ...rotatedRuns]
    .map(({ text }) => text.replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .join('').length;
  return letters === 0 || (letters < 150 && pages.get(number)?.isImageOnly === true);
}

function pictureOf({ number, width, height }: PageText, bytes: Uint8Array): Block {
  const place = { left: 0, top: 0, right: width, bottom: height, page: number };
  return { ...place, kind: 'picture', bytes, description: `Page ${number}` };
}

function explain(shown: readonly number[], left: readonly number[]): string[] {
  const is = shown.length === 1 ? 'is an image; its' : 'are images; their';
  return [
    ...(shown.length > 0 ? [`${listPages(shown)} ${is} text cannot be searched.`] : []),
    ...(left.length > 0
      ? [`${listPages(left)} without text were omitted; split the document to keep them.`]
      : []),
  ];
}

/** Formats page numbers, such as `Page 3` or `Pages 1–4 and 7`. */
function listPages(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  const words = ranges.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  return `${numbers.length === 1 ? 'Page' : 'Pages'} ${new Intl.ListFormat('en-GB').format(words)}`;
}
