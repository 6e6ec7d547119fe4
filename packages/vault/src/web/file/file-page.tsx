import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { addRecentFile } from '../live/recent-files.ts';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { FileBody } from './file-body.tsx';
import { FileHeader } from './file-header.tsx';
import { FolderView } from './folder-view.tsx';
import { parseLineRange } from './line-range.ts';
import { MissingFile } from './missing-file.tsx';
import { parseNoteFile } from './note.ts';
import { lineAtTop } from './line-at-top.ts';
import { StickyBar } from './sticky-bar.tsx';
import { initialMode, isMissing, isTextFile, viewOf } from './view-of.ts';
import type { FileMode } from './view-of.ts';

export function FilePage() {
  const { _splat = '' } = useParams({ strict: false });
  const path = _splat.replace(/\/+$/, '');
  // The key resets all state when another file is opened.
  return <PathView key={path} path={path} />;
}

function PathView({ path }: { path: string }) {
  const { queries, drafts, recentFiles } = useServices();
  const { canWrite } = useViewer();
  const text = useText();
  const { data: tree } = useQuery(queries.files.tree);
  const node = path === '' ? tree?.root : tree?.byPath.get(path);
  const isFile = path !== '' && node?.isFolder !== true;
  const { data: file, error } = useQuery({ ...queries.files.get(path), enabled: isFile });
  const note = useMemo(() => parseNoteFile(file?.text ?? ''), [file?.text]);
  useEffect(() => {
    if (file !== undefined) addRecentFile(recentFiles, path);
  }, [recentFiles, path, file !== undefined]);
  const hash = useLocation({ select: (location) => location.hash });
  const range = useMemo(() => parseLineRange(hash), [hash]);
  const isNew = useLocation({ select: ({ state }) => state.isNew === true });
  const hasDraft = useStore(drafts)[path] !== undefined;
  const [chosen, setChosen] = useState<FileMode | null>(hasDraft || isNew ? 'edit' : null);
  const mode = chosen ?? initialMode(path, range !== null);
  const editorPlace = useRef<(() => number | null) | null>(null);
  const [startLine, setStartLine] = useState<number | null>(null);
  /** Each view starts at the line that was in sight in the one before. */
  const setMode = (next: FileMode): void => {
    if (mode !== 'history') setStartLine(editorPlace.current === null ? lineAtTop() : editorPlace.current());
    setChosen(next);
  };
  const edit = (): void => setMode('edit');
  const isText = isTextFile(file, error);
  useEditKey(canWrite && isText && mode !== 'edit', edit);

  const view = viewOf({ path, node, file, error, mode, bodyLength: note.body.length });
  if (view.kind === 'folder') return <FolderView node={view.node} />;
  if (view.kind === 'tree-loading') return <Spinner label={text.tree.loading} />;
  return (
    <div
      className={`mx-auto flex w-full max-w-[52rem] flex-col gap-4 px-4 pb-16 wide:px-10 ${mode === 'rendered' || mode === 'edit' ? 'min-[86rem]:max-w-[68rem]' : ''}`}
    >
      <FileHeader
        path={path}
        created={note.properties.find(({ key }) => key === 'created')?.value}
        title={note.properties.find(({ key }) => key === 'title')?.value}
        startsWithTitle={/^\s*# \S/.test(note.body)}
        mode={mode}
        range={range}
        isText={isText}
        onMode={setMode}
      />
      {view.kind === 'missing' && (
        <MissingFile path={path} onCreate={edit} onHistory={() => setMode('history')} />
      )}
      {hasDraft && mode !== 'edit' && <DraftNotice onEdit={edit} />}
      {error !== null && !isMissing(error) && <ErrorNotice error={error} />}
      <FileBody
        view={view}
        path={path}
        note={note}
        hash={hash}
        range={range}
        isNew={isNew}
        startLine={startLine}
        editorPlace={editorPlace}
        onRead={() => setMode('rendered')}
      />
    </div>
  );
}

/** Stays visible until the draft is saved or discarded. */
function DraftNotice({ onEdit }: { onEdit: () => void }) {
  const { edit: text } = useText();
  return (
    <StickyBar>
      <Notice tone="warn" title={text.unsaved} actions={<Button onClick={onEdit}>{text.goOn}</Button>} />
    </StickyBar>
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
