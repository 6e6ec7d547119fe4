import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { Change } from '../api/history-api.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { PathLabel } from '../ui/path-label.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { changeSentence, formatAuthor } from './change-sentence.ts';
import { UndoAction } from './update-actions.tsx';
import { AuthorIcon } from './author-icon.tsx';

const DiffList = lazyComponent(() => import('./diff-list.tsx').then(({ DiffList: part }) => part));

/** How many files are listed while the row is collapsed; the diff shows all of them. */
const maxFilesShown = 3;

/** One change: its author, what was done to which files, and a button to undo it. */
export function ChangeRow({ change }: { change: Change }) {
  const { api } = useServices();
  const text = useText();
  const format = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const { id, who, files, counts, approves } = change;
  const link = 'rounded-small text-soft underline underline-offset-2 hover:text-ink';
  const label = isOpen ? text.changes.hide : text.changes.show;
  const fileLines = files.slice(0, maxFilesShown).map((file) => (
    <li key={file.path} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <FileName file={file} />
      <LineCounts file={file} />
    </li>
  ));
  return (
    <div className="flex gap-3 py-3">
      <AuthorIcon kind={who.kind} />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="flex min-w-0 flex-1 basis-56 flex-col gap-1">
            <p className="leading-6 break-words">{changeSentence(change, text)}</p>
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-tiny text-soft">
              <span>
                <time dateTime={new Date(change.at).toISOString()} title={format.date(change.at)}>
                  {format.clock(change.at)}
                </time>
                {` · ${formatAuthor(who, text)}`}
              </span>
              {who.kind === 'agent' && (
                <Link to="/activity/$id" params={{ id: approves ?? id }} className={link}>
                  {text.changes.input}
                </Link>
              )}
              {approves !== null && <Badge tone="good">{text.activity.states.approved}</Badge>}
            </div>
            <ul className="flex flex-col gap-0.5 text-small">
              {fileLines}
              {counts.files > maxFilesShown && (
                <li className="text-soft">{text.changes.moreFiles(counts.files - maxFilesShown)}</li>
              )}
            </ul>
          </div>
          <div className="flex shrink-0 items-center gap-1 max-wide:-ml-2">
            <IconButton label={label} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              <ChevronDown
                aria-hidden
                className={`size-4 transition-transform ${isOpen ? 'rotate-180' : ''}`}
              />
            </IconButton>
            <UndoAction isUndone={change.isUndone} act={(choice) => api.history.undo(change.id, choice)} />
          </div>
        </div>
        {isOpen && <ChangeDiffs id={id} />}
      </div>
    </div>
  );
}

type File = Change['files'][number];

/** Links to the file, unless it was deleted. */
function FileName({ file: { path, kind } }: { file: File }) {
  if (kind === 'deleted')
    return (
      <del className="min-w-0 text-soft">
        <PathLabel path={path} />
      </del>
    );
  return (
    <Link
      to="/file/$"
      params={{ _splat: path.replace(/^vault\//, '') }}
      className="min-w-0 rounded-small hover:underline"
    >
      <PathLabel path={path} />
    </Link>
  );
}

function LineCounts({ file: { added, removed } }: { file: File }) {
  const { changes } = useText();
  const format = useFormat();
  if (added === null || removed === null || added + removed === 0) return null;
  return (
    <span role="img" aria-label={changes.lines(added, removed)} className="text-tiny tabular-nums">
      {added > 0 && <span className="text-good">+{format.number(added)}</span>}
      {added > 0 && removed > 0 && ' '}
      {removed > 0 && <span className="text-danger">−{format.number(removed)}</span>}
    </span>
  );
}

function ChangeDiffs({ id }: { id: string }) {
  const { queries } = useServices();
  const text = useText();
  const { data, error } = useQuery(queries.history.change(id));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <Spinner label={text.changes.show} />;
  return (
    <div>
      <DiffList diffs={data.diffs} />
    </div>
  );
}
