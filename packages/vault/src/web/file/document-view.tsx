import { useState } from 'react';
import { fileUrl } from '../api/files-api.ts';
import type { FileText } from '../api/files-api.ts';
import { useText } from '../text/use-text.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { DocumentText } from './document-text.tsx';
import type { LineRange } from './line-range.ts';
import { NoteAside } from './note-aside.tsx';
import { isPdf } from './view-of.ts';

const PdfView = lazyComponent(() => import('./pdf-view.tsx').then(({ PdfView: part }) => part), {
  fallback: () => <Spinner label={useText().file.opening} />,
});

type Props = {
  path: string;
  file: FileText;
  /** The lines of the text that the URL names. */
  range: LineRange | null;
  /** Whether to show the text of a PDF instead of its pages. */
  isText: boolean;
};

/** A file that is not text, with the notes that link to it. */
export function DocumentView(props: Props) {
  return (
    <div className="grid gap-8 min-[86rem]:grid-cols-[minmax(0,1fr)_14rem]">
      <DocumentContent {...props} />
      <NoteAside path={props.path} headings={[]} body="" />
    </div>
  );
}

function DocumentContent({ path, file: { mediaType, etag }, range, isText }: Props) {
  const text = useText().file;
  const name = path.split('/').at(-1) ?? path;
  const download = (
    <a href={fileUrl(path)} download={name} className={buttonClass()}>
      {text.download}
    </a>
  );
  if (mediaType.startsWith('image/')) return <ImageView path={path} name={name} actions={download} />;
  const content = { path, etag, range, actions: download };
  if (!isPdf(path)) return <DocumentText {...content} />;
  const pages = <PdfView {...content} />;
  return isText ? <DocumentText {...content} fallback={pages} /> : pages;
}

function ImageView({ path, name, actions }: { path: string; name: string; actions: React.ReactNode }) {
  const text = useText().file;
  const [isFull, setFull] = useState(false);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex gap-2">
        {actions}
        <Button aria-pressed={isFull} onClick={() => setFull(!isFull)}>
          {text.fullSize}
        </Button>
      </div>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <div tabIndex={isFull ? 0 : undefined} role="group" aria-label={name} className="overflow-auto">
        <img
          src={fileUrl(path)}
          alt={name}
          className={`rounded-medium border border-line ${isFull ? 'max-w-none' : 'max-h-[75vh]'}`}
        />
      </div>
    </div>
  );
}
