import { getDocumentProxy } from 'unpdf';
import { createPictureKeeper } from '../markdown/picture-keeper.ts';
import type { Conversion, Converter, ConvertOptions, Refusal } from '../port.ts';
import { refuse } from '../refusal.ts';
import { assemble } from './assemble.ts';
import type { Block } from './block.ts';
import { inspectPages } from './inspect-pages.ts';
import type { InspectedPages } from './inspect-pages.ts';
import { ignoreTypewriter, measureBody } from './measure-body.ts';
import { placeFigures } from './place-figures.ts';
import { readPdfProperties } from './properties.ts';
import { readPage } from './read-page.ts';
import type { PageText } from './read-page.ts';
import { readText } from './read-text.ts';
import { removeFurniture } from './remove-furniture.ts';
import { renderScans } from './render-scans.ts';
import { takeFigures } from './take-figures.ts';
import { writeBlocks } from './write-blocks.ts';

const damaged = refuse(
  'damaged',
  'it is damaged; get it again, or open it in a viewer and print it as a PDF',
);

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** By the document's own tags where it has them, else by where its words stand. Pages without text as pictures. */
export const convertPdf: Converter = async ({ bytes }, { stem, limits }) => {
  const pdf = await open(bytes);
  if ('kind' in pdf) return pdf;
  if (pdf.numPages > limits.pages) {
    return refuse(
      'too-large',
      `it has ${pdf.numPages} pages; split it into parts of at most ${limits.pages}`,
    );
  }
  return convert(pdf, bytes, { stem, limits });
};

/** PDF.js takes the bytes it is given, so it is given a copy. */
async function open(bytes: Uint8Array): Promise<Pdf | Refusal> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, maxImageSize: 1 });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      return refuse('encrypted', 'it opens with a password only; save it without one');
    }
    return damaged;
  }
}

async function convert(
  pdf: Pdf,
  bytes: Uint8Array,
  { stem, limits }: ConvertOptions,
): Promise<Conversion | Refusal> {
  const [inspected, { pages, unread }] = await Promise.all([inspectPages(bytes, limits), readPages(pdf)]);
  if (unread.length === pdf.numPages) return damaged;
  const texts = removeFurniture(ignoreTypewriter(pages.map((page) => withRuns(page, inspected))));
  const body = measureBody(texts);
  const end = performance.now() + limits.milliseconds * 0.4;
  const scans = await renderScans(texts, inspected, { images: limits.images, end });
  const blocks: Block[][] = [];
  for (const page of texts) {
    const scan = scans.blocks.get(page.number);
    const text = readText(page, inspected?.pages.get(page.number), body);
    const figures = scan || !inspected ? [] : await takeFigures(inspected, page.number, end);
    blocks.push([...(scan ?? []), ...placeFigures(text, figures, page.number)]);
  }
  const keeper = createPictureKeeper(stem);
  const markdown = writeBlocks(assemble(blocks), keeper);
  return {
    kind: 'converted',
    markdown,
    images: keeper.images,
    metadata: { type: 'pdf', ...(await readPdfProperties(pdf, markdown)), pages: pdf.numPages },
    warnings: [...scans.warnings, ...explain(inspected, unread)],
    attachments: [],
  };
}

/** The tags of longer documents take too long to read. */
const mostTagged = 400;

type Pages = { pages: PageText[]; unread: number[] };

async function readPages(pdf: Pdf): Promise<Pages> {
  const [pages, unread]: [PageText[], number[]] = [[], []];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    try {
      pages.push(await readPage(await pdf.getPage(number), pdf.numPages <= mostTagged));
    } catch {
      unread.push(number); // one broken page is no reason to refuse the others
    }
  }
  return { pages, unread };
}

function explain(inspected: InspectedPages | undefined, unread: readonly number[]): string[] {
  return [
    ...(inspected === undefined
      ? ['Only its text was kept: its pictures could not be read on this machine.']
      : []),
    ...(unread.length > 0 ? [`Damaged, and left out: page ${unread.join(', ')}.`] : []),
  ];
}

/** PDF.js has no tables for some letters of the Far East. */
function withRuns(page: PageText, inspected: InspectedPages | undefined): PageText {
  const letters = (runs: PageText['runs']): number => runs.reduce((sum, { text }) => sum + text.length, 0);
  const seen = inspected?.pages.get(page.number)?.runs ?? [];
  const isMissed = letters(seen) > letters([...page.runs, ...page.strayRuns]) * 2 + 20;
  return isMissed ? { ...page, runs: seen, tags: undefined } : page;
}
