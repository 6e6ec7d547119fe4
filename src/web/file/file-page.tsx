import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { isCode } from '../api/problem.ts';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { DocumentView } from './document-view.tsx';
import { FileHeader } from './file-header.tsx';
import type { FileMode } from './file-header.tsx';
import { FolderView } from './folder-view.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { parseLineRange } from './line-range.ts';
import { takeApart } from './note.ts';
import { RenderedNote } from './rendered-note.tsx';
import { SourceView } from './source-view.tsx';
import { StickyBar } from './sticky-bar.tsx';
import { useToggleTask } from './use-toggle-task.ts';

const EditPanel = lazyPart(() => import('../edit/edit-panel.tsx').then(({ EditPanel: part }) => part), {
  waiting: () => <Spinner label={useText().edit.loading} />,
});

/** What a file that is not there is edited from. */
const absent = { text: '', etag: '', mediaType: 'text/markdown' };

/** Longer ones would take too much memory as a page. */
const longestRendered = 4_000_000;

export function FilePage() {
  const { _splat = '' } = useParams({ strict: false });
  const path = _splat.replace(/\/+$/, '');
  // Another file starts anew: nothing of the one before it is carried over.
  return <FileView key={path} path={path} />;
}

function FileView({ path }: { path: string }) {
  const { queries, drafts } = useServices();
  const text = useText();
  const { data: tree } = useQuery(queries.files.tree);
  const node = path === '' ? tree?.root : tree?.byPath.get(path);
  const isFile = path !== '' && node?.isFolder !== true;
  const { data: file, error } = useQuery({ ...queries.files.get(path), enabled: isFile });
  const hash = useLocation({ select: (location) => location.hash });
  const range = useMemo(() => parseLineRange(hash), [hash]);
  const note = useMemo(() => takeApart(file?.text ?? ''), [file?.text]);
  const isNew = useLocation({ select: ({ state }) => state.isNew === true });
  const hasDraft = useStore(drafts)[path] !== undefined;
  const [mode, setMode] = useState<FileMode>(hasDraft || isNew ? 'edit' : 'rendered');
  const isMissing = isCode(error, 'no-such-file');
  const isText = !isMissing && file?.mediaType.startsWith('text/') === true;
  useEditKey(isText && mode !== 'edit', () => setMode('edit'));

  const onTask = useToggleTask(path, note);

  if (node?.isFolder === true) return <FolderView node={node} />;
  if (!isFile) return <Spinner label={text.tree.loading} />;
  const isLong = note.body.length > longestRendered;
  return (
    <div
      className={`mx-auto flex w-full max-w-[52rem] flex-col gap-4 px-4 pb-16 wide:px-8 ${mode === 'rendered' || mode === 'edit' ? 'min-[86rem]:max-w-[68rem]' : ''}`}
    >
      <FileHeader
        path={path}
        created={note.properties.find(({ key }) => key === 'created')?.value}
        mode={mode}
        range={range}
        isText={isText}
        onMode={setMode}
      />
      {isMissing && mode === 'rendered' && (
        <EmptyState sign={FileQuestion} title={text.file.missing} hint={text.file.missingHint}>
          <div className="flex gap-2">
            {/\.(?:md|markdown)$/i.test(path) && (
              <Button look="primary" onClick={() => setMode('edit')}>
                {text.file.create}
              </Button>
            )}
            <Button onClick={() => setMode('history')}>{text.file.history}</Button>
          </div>
        </EmptyState>
      )}
      {hasDraft && mode !== 'edit' && (
        <StickyBar>
          <Notice
            tone="warn"
            title={text.edit.unsaved}
            actions={<Button onClick={() => setMode('edit')}>{text.edit.goOn}</Button>}
          />
        </StickyBar>
      )}
      {error !== null && !isMissing && <ErrorNotice error={error} />}
      {mode === 'history' && <HistoryPanel path={path} />}
      {mode === 'edit' && (isText || isMissing) && (
        <EditPanel
          path={path}
          file={isMissing || file === undefined ? absent : file}
          isNew={isNew}
          onClose={() => setMode('rendered')}
        />
      )}
      {file !== undefined && !isMissing && mode !== 'history' && (
        <>
          {!isText && <DocumentView path={path} file={file} />}
          {isText && mode === 'rendered' && !isLong && (
            <RenderedNote note={note} path={path} range={range} hash={hash} onTask={onTask} />
          )}
          {isText && isLong && mode === 'rendered' && <Notice title={text.file.tooLong} />}
          {isText && (mode === 'source' || (isLong && mode === 'rendered')) && (
            <SourceView lines={note.lines} range={range} />
          )}
        </>
      )}
    </div>
  );
}

function useEditKey(isEnabled: boolean, edit: () => void): void {
  useEffect(() => {
    if (!isEnabled) return;
    const press = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'e') {
        event.preventDefault();
        edit();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}
