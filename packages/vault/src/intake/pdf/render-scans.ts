import type { Block } from './block.ts';
import type { InspectedPages } from './inspect-pages.ts';
import type { PageText } from './read-page.ts';

/** Sharp enough to be read; what becomes large at it, as photographs do, is read at the lesser one, too. */
const [sharp, modest] = [120, 90];
const largeBytes = 1_500_000;

type Scans = { blocks: Map<number, Block[]>; warnings: string[] };

/** Pages without text as pictures, as many as there is room and time for. */
export async function renderScans(
  pages: readonly PageText[],
  inspected: InspectedPages | undefined,
  { images, end }: { images: number; end: number },
): Promise<Scans> {
  const blocks = new Map<number, Block[]>();
  if (inspected === undefined) return { blocks, warnings: [] };
  const [shown, left]: [number[], number[]] = [[], []];
  let dpi = sharp;
  for (const page of pages.filter((each) => isScan(each, inspected))) {
    if (shown.length >= images || performance.now() > end) {
      left.push(page.number);
      continue;
    }
    let bytes = await inspected.render(page.number, dpi);
    if (dpi === sharp && bytes !== undefined && bytes.length > largeBytes) {
      dpi = modest;
      bytes = await inspected.render(page.number, dpi);
    }
    if (bytes === undefined) continue;
    blocks.set(page.number, [pictureOf(page, bytes)]);
    shown.push(page.number);
  }
  return { blocks, warnings: explain(shown, left) };
}

/** A page of nothing to read, or a picture with a stamp on it. */
function isScan({ number, runs, strayRuns }: PageText, { pages }: InspectedPages): boolean {
  const letters = [...runs, ...strayRuns]
    .map(({ text }) => text.replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .join('').length;
  return letters === 0 || (letters < 150 && pages.get(number)?.isPicture === true);
}

function pictureOf({ number, width, height }: PageText, bytes: Uint8Array): Block {
  const place = { left: 0, top: 0, right: width, bottom: height, page: number };
  return { ...place, kind: 'picture', bytes, description: `Page ${number}` };
}

function explain(shown: readonly number[], left: readonly number[]): string[] {
  const is = shown.length === 1 ? 'is only a picture: its' : 'are only pictures: their';
  return [
    ...(shown.length > 0 ? [`${listPages(shown)} ${is} words cannot be searched.`] : []),
    ...(left.length > 0
      ? [`${listPages(left)} without text were left out; split the document to keep them.`]
      : []),
  ];
}

/** `Page 3`, `Pages 1–4 and 7`. */
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
