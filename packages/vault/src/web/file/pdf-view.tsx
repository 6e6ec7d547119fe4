import { useQuery } from '@tanstack/react-query';
import { FileQuestion } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { findPages } from '../../contract/index.ts';
import { fileUrl } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { LineRange } from './line-range.ts';
import { openPdf } from './open-pdf.ts';
import type { OpenedPdf } from './open-pdf.ts';

/** Sharp on most screens, and within the canvas limits of browsers. */
const maxPageWidthPx = 1_600;

type Props = {
  path: string;
  etag: string;
  /** Lines of the text; the view starts at their page. */
  range: LineRange | null;
  actions: ReactNode;
};

/** Shows the pages of a PDF as images. Pages are rendered near the viewport and released when they are far from it. */
export function PdfView({ path, etag, range, actions }: Props) {
  const text = useText().file;
  const pages = useRef<HTMLOListElement>(null);
  const [opened, setOpened] = useState<OpenedPdf | 'failed' | null>(null);
  useEffect(() => openPdf(fileUrl(path), setOpened), [path, etag]);
  const { queries } = useServices();
  const { data } = useQuery({ ...queries.files.text(path, etag), enabled: range !== null });
  const startPage = range === null || data === undefined ? 1 : findPages(data.text.split('\n'), range).start;
  useEffect(() => {
    if (startPage > 1) pages.current?.querySelector(`li:nth-child(${startPage})`)?.scrollIntoView();
  }, [startPage, opened]);
  if (opened === null) return <Spinner label={text.opening} />;
  if (opened === 'failed')
    return (
      <EmptyState icon={FileQuestion} title={text.notText}>
        {actions}
      </EmptyState>
    );
  const count = opened.ratios.length;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {actions}
        {count > 1 && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const number = new FormData(event.currentTarget).get('page');
              pages.current?.querySelector<HTMLElement>(`li:nth-child(${Number(number)})`)?.focus();
            }}
          >
            <label className="flex items-center gap-2 text-small text-soft">
              {text.goToPage(count)}
              <input
                type="number"
                name="page"
                required
                min={1}
                max={count}
                className="h-8 w-20 rounded-medium border border-line bg-surface px-2 text-base text-ink wide:text-small"
              />
            </label>
          </form>
        )}
      </div>
      <ol ref={pages} className="flex flex-col gap-3" aria-label={text.pages(count)}>
        {opened.ratios.map((ratio, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a page is identified by its number
          <Page key={index} number={index + 1} ratio={ratio} opened={opened} />
        ))}
      </ol>
    </div>
  );
}

function Page({ number, ratio, opened }: { number: number; ratio: number; opened: OpenedPdf }) {
  const text = useText().file;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBad, setBad] = useState(false);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const show = (image: ImageBitmap | null): void =>
      element.getContext('bitmaprenderer')?.transferFromImageBitmap(image);
    const observer = new IntersectionObserver(
      (entries) => {
        show(null);
        opened.releasePage(number);
        if (entries.at(-1)?.isIntersecting !== true) return;
        const width = Math.min(maxPageWidthPx, Math.round(element.clientWidth * devicePixelRatio));
        opened.renderPage(number, width, (image) => (image === null ? setBad(true) : show(image)));
      },
      { rootMargin: '800px' },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      opened.releasePage(number);
    };
  }, [number, opened]);
  return (
    <li tabIndex={-1} className="wide:scroll-mt-32">
      {isBad && <p className="text-small text-danger">{text.badPage(number)}</p>}
      <canvas
        ref={canvas}
        role="img"
        aria-label={text.page(number, opened.ratios.length)}
        className="w-full rounded-medium border border-line bg-white"
        style={{ aspectRatio: `1 / ${ratio}` }}
      />
    </li>
  );
}
