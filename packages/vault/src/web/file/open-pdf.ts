import type { PdfRequest, PdfResponse } from './pdf-worker.ts';

/** Receives the rendered page; null if it cannot be rendered. */
type Listener = (image: ImageBitmap | null) => void;

export type OpenedPdf = {
  /** The ratio of height to width of each page. */
  ratios: readonly number[];
  renderPage: (page: number, width: number, onRendered: Listener) => void;
  /** Cancels a page that has scrolled out of view. */
  releasePage: (page: number) => void;
};

/** Opens a PDF in a worker, which renders one page at a time, the latest request first. Returns a function that closes it. */
export function openPdf(url: string, show: (opened: OpenedPdf | 'failed') => void): () => void {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  const send = (message: PdfRequest, transferred: Transferable[] = []): void =>
    worker.postMessage(message, transferred);
  const requests = new Map<number, { width: number; onRendered: Listener }>();
  let rendering: number | null = null;
  const renderNext = (): void => {
    const [page, { width } = { width: 0 }] = [...requests].at(-1) ?? [null];
    rendering = page;
    if (page !== null) send({ kind: 'page', page, width });
  };
  worker.addEventListener('message', ({ data }: MessageEvent<PdfResponse>) => {
    // pdf.js sends its own messages over the same channel.
    if (data.kind === 'failed') show('failed');
    if (data.kind === 'opened')
      show({
        ratios: data.ratios,
        renderPage(page, width, onRendered) {
          requests.set(page, { width, onRendered });
          if (rendering === null) renderNext();
        },
        releasePage: (page) => void requests.delete(page),
      });
    if (data.kind === 'rendered') {
      requests.get(data.page)?.onRendered(data.image);
      requests.delete(data.page);
      renderNext();
    }
  });
  worker.addEventListener('error', () => show('failed'));
  const controller = new AbortController();
  fetch(url, { signal: controller.signal })
    .then((response) => response.arrayBuffer())
    .then(
      (bytes) => send({ kind: 'open', bytes }, [bytes]),
      () => controller.signal.aborted || show('failed'),
    );
  return () => {
    controller.abort();
    worker.terminate();
  };
}
