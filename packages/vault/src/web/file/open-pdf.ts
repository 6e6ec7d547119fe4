import type { PdfAsk, PdfSaid } from './pdf-worker.ts';

/** Null where a page cannot be drawn. */
type Listener = (picture: ImageBitmap | null) => void;

export type OpenedPdf = {
  /** Of each page, how high it is for its width. */
  ratios: readonly number[];
  draw: (page: number, width: number, tell: Listener) => void;
  /** It is not looked at any more. */
  forget: (page: number) => void;
};

/** Has a PDF read by a worker, which draws one page at a time: the one that was wanted last. Returns how to end it. */
export function openPdf(url: string, show: (opened: OpenedPdf | 'failed') => void): () => void {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  const ask = (asked: PdfAsk, transferred: Transferable[] = []): void =>
    worker.postMessage(asked, transferred);
  const wanted = new Map<number, { width: number; tell: Listener }>();
  let drawing: number | null = null;
  const goOn = (): void => {
    const [page, { width } = { width: 0 }] = [...wanted].at(-1) ?? [null];
    drawing = page;
    if (page !== null) ask({ kind: 'page', page, width });
  };
  worker.addEventListener('message', ({ data }: MessageEvent<PdfSaid>) => {
    // The library that reads it speaks over the same channel.
    if (data.kind === 'failed') show('failed');
    if (data.kind === 'opened')
      show({
        ratios: data.ratios,
        draw(page, width, tell) {
          wanted.set(page, { width, tell });
          if (drawing === null) goOn();
        },
        forget: (page) => void wanted.delete(page),
      });
    if (data.kind === 'drawn') {
      wanted.get(data.page)?.tell(data.picture);
      wanted.delete(data.page);
      goOn();
    }
  });
  worker.addEventListener('error', () => show('failed'));
  const controller = new AbortController();
  fetch(url, { signal: controller.signal })
    .then((response) => response.arrayBuffer())
    .then(
      (bytes) => ask({ kind: 'open', bytes }, [bytes]),
      () => controller.signal.aborted || show('failed'),
    );
  return () => {
    controller.abort();
    worker.terminate();
  };
}
