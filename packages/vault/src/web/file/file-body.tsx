import type { RefObject } from 'react';
import { useViewer } from '../shell/use-viewer.ts';
import { useText } from '../text/use-text.ts';
import { Notice } from '../ui/notice.tsx';
import { Editor } from './editor.tsx';
import { DocumentView } from './document-view.tsx';
import { HistoryPanel } from './history-panel.tsx';
import type { LineRange } from './line-range.ts';
import type { ParsedFile } from './note.ts';
import { RenderedNote } from './rendered-note.tsx';
import { SourceView } from './source-view.tsx';
import { useToggleTask } from './use-toggle-task.ts';
import type { FileView } from './view-of.ts';

type Props = {
  view: Exclude<FileView, { kind: 'folder' | 'tree-loading' }>;
  path: string;
  note: ParsedFile;
  /** From the URL: the scroll target and the highlighted lines. */
  hash: string;
  range: LineRange | null;
  isNew: boolean;
  /** The line that was in sight in the view before; null at the start. */
  startLine: number | null;
  editorPlace: RefObject<(() => number | null) | null>;
  onRead: () => void;
};

/** The content below the header and the notices of a file. */
export function FileBody({ view, path, note, hash, range, isNew, startLine, editorPlace, onRead }: Props) {
  switch (view.kind) {
    case 'history':
      return <HistoryPanel path={path} />;
    case 'edit':
      return (
        <Editor
          path={path}
          file={view.file}
          isNew={isNew}
          startLine={startLine ?? range?.start ?? null}
          place={editorPlace}
          onClose={onRead}
        />
      );
    case 'document':
      return <DocumentView path={path} file={view.file} range={range} isText={view.isText} />;
    case 'source':
      return <SourceBody note={note} range={range} isTooLong={view.isTooLong} />;
    case 'rendered':
      return <RenderedBody path={path} note={note} hash={hash} range={range} startLine={startLine} />;
    case 'empty':
    case 'missing':
      return null;
  }
}

function SourceBody({ note, range, isTooLong }: Pick<Props, 'note' | 'range'> & { isTooLong: boolean }) {
  const { file: text } = useText();
  return (
    <>
      {isTooLong && <Notice title={text.tooLong} />}
      <SourceView lines={note.lines} range={range} />
    </>
  );
}

type RenderedProps = Pick<Props, 'path' | 'note' | 'hash' | 'range' | 'startLine'>;

function RenderedBody({ path, note, hash, range, startLine }: RenderedProps) {
  const { canWrite } = useViewer();
  const toggleTask = useToggleTask(path, note);
  const onToggleTask = canWrite ? toggleTask : undefined;
  return (
    <RenderedNote
      note={note}
      path={path}
      range={range}
      hash={hash}
      startLine={startLine}
      onToggleTask={onToggleTask}
    />
  );
}
