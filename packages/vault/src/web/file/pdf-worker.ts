import { getDocument } from 'unpdf/pdfjs';

export type PdfRequest = { kind: 'open'; bytes: ArrayBuffer } | { kind: 'page'; page: number; width: number };

export type PdfResponse =
  | { kind: 'opened'; ratios: number[] }
  | { kind: 'rendered'; page: number; image: ImageBitmap | null }
  | { kind: 'failed' };

type Pdf = Awaited<ReturnType<typeof getDocument>['promise']>;
type Surface = { canvas: OffscreenCanvas | null; context: OffscreenCanvasRenderingContext2D | null };

/** Canvas factory for pdf.js. A worker has no document to create canvases in. */
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

/** Filters need a document, which a worker does not have. Without them, the colors of some images are less exact. */
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
    // No filters were created.
  }
}

/** All later pages are assumed to have the size of the last measured page. */
const maxMeasuredPages = 50;
/** Limits for the values that an untrusted document declares. */
const maxPages = 5_000;
const maxAspectRatio = 10;

const send = (response: PdfResponse, transferred: Transferable[] = []): void =>
  postMessage(response, { transfer: transferred });

/** Opens an untrusted document. Scripts in it are not run, and nothing is fetched for it. */
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
  for (let page = 1; page <= Math.min(document.numPages, maxPages); page += 1) {
    if (page <= maxMeasuredPages) {
      const { width, height } = (await document.getPage(page)).getViewport({ scale: 1 });
      ratios.push(Math.min(height / width, maxAspectRatio));
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
  addEventListener('message', ({ data }: MessageEvent<PdfRequest>) => {
    if (data.kind === 'open') {
      opened = open(data.bytes);
      opened.then(measure).then(
        (ratios) => send({ kind: 'opened', ratios }),
        () => send({ kind: 'failed' }),
      );
    }
    if (data.kind === 'page')
      opened
        ?.then((document) => draw(document, data.page, data.width))
        .then(
          (image) => send({ kind: 'rendered', page: data.page, image }, [image]),
          () => send({ kind: 'rendered', page: data.page, image: null }),
        );
  });
}

listen();
