import type { LiteParse } from '@llamaindex/liteparse';
import type { Limits } from '../document.ts';
import type { Rule } from './ruled-tables.ts';
import { plainStyle } from './run.ts';
import type { Box, Run } from './run.ts';

/** `dpi` is the resolution at the size shown on the page. */
export type Figure = Box & { bytes: Uint8Array; isJpeg: boolean; dpi: number };

/** Everything on a page except its text. */
export type InspectedPage = {
  rules: Rule[];
  bullets: Run[];
  figures: Figure[];
  runs: Run[];
  /** Whether one image covers the whole page. */
  isImageOnly: boolean;
};

export type InspectedPages = {
  pages: Map<number, InspectedPage>;
  /** Renders a page as PNG; undefined if it is blank. */
  render: (page: number, dpi: number) => Promise<Uint8Array | undefined>;
};

/** Undefined when PDFium is not available on this machine, or cannot read a file that PDF.js can. */
export async function inspectPages(bytes: Uint8Array, limits: Limits): Promise<InspectedPages | undefined> {
  const library = await import('@llamaindex/liteparse').catch(() => undefined);
  if (library === undefined) return undefined;
  const open = (options: ConstructorParameters<typeof LiteParse>[0]): LiteParse =>
    new library.LiteParse({
      ocrEnabled: false,
      quiet: true,
      maxPages: limits.pages,
      continueOnPageError: true,
      ...options,
    });
  const input = Buffer.from(bytes);
  const parsed = await open({
    outputFormat: 'json',
    extractImages: true,
    extractVectorGraphics: true,
    includeComplexity: true,
  })
    .parse(input)
    .catch(() => undefined);
  if (parsed === undefined) return undefined;
  const pages = new Map(
    parsed.pages.map((page): [number, InspectedPage] => [
      page.pageNum,
      {
        rules: page.vectorGraphics?.lines ?? [],
        bullets: bulletsOf(page),
        isImageOnly: page.complexity?.fullPageImage ?? false,
        figures: figuresOf(
          parsed.images.filter((image) => image.page === page.pageNum),
          page,
        ),
        runs: page.textItems.filter(({ text }) => text.trim() !== '').map(toRun),
      },
    ]),
  );
  return {
    pages,
    async render(page, dpi) {
      const [shot] = await open({ dpi }).screenshot(input, [page]);
      return shot === undefined || shot.isSolidFill ? undefined : shot.imageBuffer;
    },
  };
}

type Parsed = Awaited<ReturnType<LiteParse['parse']>>;

/** The figures of a page, without repeated images and those behind the text. */
function figuresOf(images: Parsed['images'], page: Parsed['pages'][number]): Figure[] {
  return images
    .filter(({ bbox, duplicateOf }) => {
      const isBehind = bbox.width * bbox.height > page.width * page.height * 0.85;
      return !isBehind && duplicateOf === undefined;
    })
    .map(({ bbox, bytes, format, width }) => ({
      left: bbox.x,
      top: bbox.y,
      right: bbox.x + bbox.width,
      bottom: bbox.y + bbox.height,
      bytes,
      isJpeg: format === 'jpg' || format === 'jpeg',
      dpi: (width / Math.max(bbox.width, 1)) * 72,
    }));
}

/** Browsers draw list bullets as graphics instead of text. */
function bulletsOf({ vectorGraphics }: Parsed['pages'][number]): Run[] {
  return (vectorGraphics?.shapes ?? [])
    .filter(
      ({ bbox, hasCurve }) =>
        hasCurve && bbox.width > 1.5 && bbox.width < 7 && Math.abs(bbox.width - bbox.height) < 1,
    )
    .map(({ bbox }) => ({
      text: '•',
      x: bbox.x,
      y: bbox.y + bbox.height * 1.5,
      width: bbox.width,
      size: bbox.height * 2,
      style: plainStyle,
      isRtl: false,
      hasLeadingSpace: true,
    }));
}

function toRun({ text, x, y, width, height, fontSize }: Parsed['pages'][number]['textItems'][number]): Run {
  const size = height * 0.9 || fontSize || 10;
  return {
    text: text.trim(),
    x,
    y: y + height * 0.8,
    width,
    size,
    style: plainStyle,
    isRtl: false,
    hasLeadingSpace: true,
  };
}
