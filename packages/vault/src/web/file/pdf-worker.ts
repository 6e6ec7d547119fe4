import { getDocument } from 'unpdf/pdfjs';

export type PdfAsk = { kind: 'open'; bytes: ArrayBuffer } | { kind: 'page'; page: number; width: number };

export type PdfSaid =
  | { kind: 'opened'; ratios: number[] }
  | { kind: 'drawn'; page: number; picture: ImageBitmap | null }
  | { kind: 'failed' };

type Pdf = Awaited<ReturnType<typeof getDocument>['promise']>;
type Surface = { canvas: OffscreenCanvas | null; context: OffscreenCanvasRenderingContext2D | null };

/** Without a document, canvases are made here. */
class Canvases {
  create(width: number, height: number): Surface {
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext('2d') };
  }
  reset({ canvas }: Surface, width: number, height: number): void {
    if (canvas !== null) Object.assign(canvas, { width, height });
  }
  destroy(surface: Surface): void {
    Object.assign(surface, { canvas: null, context: null });
  }
}

/** Filters would have to stand in a document; without them a few pictures have plainer colours. */
class NoFilters {
  addFilter(): string {
    return 'none';
  }
  addHCMFilter(): string {
    return 'none';
  }
  addAlphaFilter(): string {
    return 'none';
  }
  addLuminosityFilter(): string {
    return 'none';
  }
  addHighlightHCMFilter(): string {
    return 'none';
  }
  addKnockoutFilter(): string {
    return 'none';
  }
  addSelectionHCMFilter(): string {
    return 'none';
  }
  destroy(): void {
    // There is nothing to take away.
  }
}

/** Pages after these have the form of the last one that was looked at. */
const mostMeasured = 50;
/** What a document claims to have may be anything. */
const mostPages = 5_000;
const highest = 10;

const say = (said: PdfSaid, transferred: Transferable[] = []): void =>
  postMessage(said, { transfer: transferred });

/** Reads a document, which is not trusted, beside the page: nothing of it is run, and nothing is fetched for it. */
const open = (bytes: ArrayBuffer): Promise<Pdf> =>
  getDocument({
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    verbosity: 0,
    CanvasFactory: Canvases,
    FilterFactory: NoFilters,
  }).promise;

async function measure(document: Pdf): Promise<number[]> {
  const ratios: number[] = [];
  for (let page = 1; page <= Math.min(document.numPages, mostPages); page += 1) {
    if (page <= mostMeasured) {
      const { width, height } = (await document.getPage(page)).getViewport({ scale: 1 });
      ratios.push(Math.min(height / width, highest));
    } else ratios.push(ratios.at(-1) ?? 1.4);
  }
  return ratios;
}

async function draw(document: Pdf, number: number, width: number): Promise<ImageBitmap> {
  const page = await document.getPage(number);
  const scale = width / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale });
  const canvas = new OffscreenCanvas(Math.round(viewport.width), Math.round(viewport.height));
  const options = { canvas: null, canvasContext: canvas.getContext('2d'), viewport };
  await page.render(options as unknown as Parameters<typeof page.render>[0]).promise;
  page.cleanup();
  return canvas.transferToImageBitmap();
}

function listen(): void {
  let opened: Promise<Pdf> | null = null;
  addEventListener('message', ({ data }: MessageEvent<PdfAsk>) => {
    if (data.kind === 'open') {
      opened = open(data.bytes);
      opened.then(measure).then(
        (ratios) => say({ kind: 'opened', ratios }),
        () => say({ kind: 'failed' }),
      );
    }
    if (data.kind === 'page')
      opened
        ?.then((document) => draw(document, data.page, data.width))
        .then(
          (picture) => say({ kind: 'drawn', page: data.page, picture }, [picture]),
          () => say({ kind: 'drawn', page: data.page, picture: null }),
        );
  });
}

listen();
