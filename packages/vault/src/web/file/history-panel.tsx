import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changeSentence, formatAuthor } from '../activity/change-sentence.ts';
import { UndoAction } from '../activity/update-actions.tsx';
import type { Change } from '../api/history-api.ts';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DiffView } from '../ui/diff-view.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Collapsible } from '../ui/collapsible.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** All changes of a file, newest first, with buttons to restore a version. */
export function HistoryPanel({ path }: { path: string }) {
  const { queries } = useServices();
  const text = useText().history;
  const { data, error } = useQuery(queries.history.ofFile(path));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <Spinner label={text.title} />;
  if (data.changes.length === 0) return <p className="text-small text-soft">{text.none}</p>;
  return (
    <ol className="flex flex-col gap-2">
      {data.changes.map((change, index) => (
        <li key={change.id}>
          <Entry path={path} change={change} isNewest={index === 0} />
        </li>
      ))}
    </ol>
  );
}

function Entry({ path, change, isNewest }: { path: string; change: Change; isNewest: boolean }) {
  const { queries, api, toasts } = useServices();
  const words = useText();
  const { history: text } = words;
  const format = useFormat();
  const [isOpen, setIsOpen] = useState(isNewest);
  const { canWrite } = useViewer();
  const { data, error } = useQuery({ ...queries.history.change(change.id, path), enabled: isOpen });
  const restore = useMutation({
    mutationFn: () => api.history.restore(change.id, path),
    onSuccess: () => toasts.show(text.restored),
    onError: toasts.showError,
  });
  const diff = data?.diffs.find((each) => each.path === `vault/${path}`);
  return (
    <Collapsible
      isOpen={isOpen}
      onChange={setIsOpen}
      title={
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium break-words">{changeSentence(change, words)}</span>
          <span className="text-tiny text-soft">
            {format.ago(change.at)} · {formatAuthor(change.who, words)}
          </span>
        </span>
      }
      actions={
        <>
          {change.state !== 'applied' && <Badge>{text.states[change.state]}</Badge>}
          {change.state === 'applied' && (
            <UndoAction isUndone={change.isUndone} act={(choice) => api.history.undo(change.id, choice)} />
          )}
          {!isNewest && canWrite && (
            <Button disabled={restore.isPending} onClick={() => restore.mutate()}>
              {text.restore}
            </Button>
          )}
        </>
      }
    >
      {error !== null && <ErrorNotice error={error} />}
      {data === undefined && error === null && (
        <div className="px-3 py-2">
          <Spinner label={text.show} />
        </div>
      )}
      {data !== undefined && <DiffView diff={diff?.diff ?? ''} />}
    </Collapsible>
  );
}
