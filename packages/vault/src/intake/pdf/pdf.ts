import { getDocumentProxy } from 'unpdf';
import { formatPageHeading } from '../../contract/index.ts';
import { createPictureKeeper } from '../markdown/image-collector.ts';
import type { Conversion, Converter, ConvertOptions, Rejection } from '../document.ts';
import { refuse } from '../rejection.ts';
import { assemble } from './assemble.ts';
import type { Block } from './block.ts';
import { inspectPages } from './inspect-pages.ts';
import type { InspectedPages } from './inspect-pages.ts';
import { clearUniformMonospace, measureBody } from './body-metrics.ts';
import { placeFigures } from './place-figures.ts';
import { readPdfProperties } from './properties.ts';
import { readPage } from './read-page.ts';
import type { PageText } from './read-page.ts';
import { readPageBlocks } from './read-text.ts';
import { removeHeadersFooters } from './remove-headers-footers.ts';
import { renderScans } from './render-scans.ts';
import { extractFigures } from './extract-figures.ts';
import { writeBlocks } from './format-blocks.ts';

const damaged = refuse(
  'damaged',
  'the file is damaged; download it again, or open it in a viewer and print it as a PDF',
);

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/**
 * Reads the structure from the tags of the document if it has them, else from the layout. Pages without text become
 * images.
 */
export const convertPdf: Converter = async ({ bytes }, options) => {
  const { limits } = options;
  const pdf = await open(bytes);
  if ('kind' in pdf) return pdf;
  if (pdf.numPages > limits.pages) {
    return refuse(
      'too-large',
      `the document has ${pdf.numPages} pages; split it into parts of at most ${limits.pages}`,
    );
  }
  return options.isTextOnly === true ? readTextOnly(pdf) : convert(pdf, bytes, options);
};

/** PDF.js takes ownership of the bytes, so it gets a copy. */
async function open(bytes: Uint8Array): Promise<Pdf | Rejection> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, maxImageSize: 1 });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      return refuse('encrypted', 'the file is password-protected; save it without a password');
    }
    return damaged;
  }
}

async function convert(
  pdf: Pdf,
  bytes: Uint8Array,
  { stem, limits }: ConvertOptions,
): Promise<Conversion | Rejection> {
  const [inspected, { pages, unread }] = await Promise.all([inspectPages(bytes, limits), readPages(pdf)]);
  if (unread.length === pdf.numPages) return damaged;
  const texts = removeHeadersFooters(clearUniformMonospace(pages.map((page) => withRuns(page, inspected))));
  const body = measureBody(texts);
  const end = performance.now() + limits.milliseconds * 0.4;
  const scans = await renderScans(texts, inspected, { images: limits.images, end });
  const blocks: Block[][] = [];
  for (const page of texts) {
    const scan = scans.blocks.get(page.number);
    const text = readPageBlocks(page, inspected?.pages.get(page.number), body);
    const figures = scan || !inspected ? [] : await extractFigures(inspected, page.number, end);
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

/** Each page has a heading, so that a search can tell on which page the text is. */
async function readTextOnly(pdf: Pdf): Promise<Conversion | Rejection> {
  const { pages, unread } = await readPages(pdf);
  if (unread.length === pdf.numPages) return damaged;
  const texts = removeHeadersFooters(clearUniformMonospace(pages));
  const body = measureBody(texts);
  const parts = texts.map((page) => {
    const blocks = assemble([readPageBlocks(page, undefined, body)]).map((block) =>
      block.kind === 'heading' ? { ...block, level: Math.min(6, (block.level ?? 1) + 1) } : block,
    );
    const text = writeBlocks(blocks, { keep: () => undefined });
    return text.trim() === '' || pdf.numPages === 1 ? text : `${formatPageHeading(page.number)}\n\n${text}`;
  });
  const markdown = parts.filter((part) => part.trim() !== '').join('\n\n');
  return {
    kind: 'converted',
    markdown,
    images: [],
    metadata: { type: 'pdf', pages: pdf.numPages },
    warnings: unread.length > 0 ? [damagedPages(unread)] : [],
    attachments: [],
  };
}

/** Reading the tags of longer documents takes too long. */
const maxTaggedPages = 400;

type Pages = { pages: PageText[]; unread: number[] };

async function readPages(pdf: Pdf): Promise<Pages> {
  const [pages, unread]: [PageText[], number[]] = [[], []];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    try {
      pages.push(await readPage(await pdf.getPage(number), pdf.numPages <= maxTaggedPages));
    } catch {
      unread.push(number); // one damaged page must not prevent reading the others
    }
  }
  return { pages, unread };
}

function explain(inspected: InspectedPages | undefined, unread: readonly number[]): string[] {
  return [
    ...(inspected === undefined ? ['Images were omitted: they cannot be read on this machine.'] : []),
    ...(unread.length > 0 ? [damagedPages(unread)] : []),
  ];
}

function damagedPages(unread: readonly number[]): string {
  return `Damaged pages were omitted: ${unread.join(', ')}.`;
}

/** Takes the text from PDFium where PDF.js has none: it lacks the character maps of some East Asian fonts. */
function withRuns(page: PageText, inspected: InspectedPages | undefined): PageText {
  const letters = (runs: PageText['runs']): number => runs.reduce((sum, { text }) => sum + text.length, 0);
  const pdfiumRuns = inspected?.pages.get(page.number)?.runs ?? [];
  const isMissed = letters(pdfiumRuns) > letters([...page.runs, ...page.rotatedRuns]) * 2 + 20;
  return isMissed ? { ...page, runs: pdfiumRuns, tags: undefined } : page;
}
