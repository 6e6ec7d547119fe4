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
import { Spinner } from '../ui/spinner.tsx';
import { changeSentence, formatAuthor } from './change-sentence.ts';
import { UndoAction } from './update-actions.tsx';
import { AuthorIcon } from './author-icon.tsx';

const DiffList = lazyComponent(() => import('./diff-list.tsx').then(({ DiffList: part }) => part));

/** One change in one line, with a button to undo it. Its author, files and diffs are shown on demand. */
export function ChangeRow({ change }: { change: Change }) {
  const { api } = useServices();
  const text = useText();
  const format = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const sentence = changeSentence(change, text);
  return (
    <div>
      <div className="flex min-h-9 items-center gap-2">
        <AuthorIcon kind={change.who.kind} />
        <p
          title={sentence}
          className="min-w-0 flex-1 py-1 text-small break-words max-wide:line-clamp-2 wide:truncate"
        >
          {sentence}
        </p>
        <LineCounts change={change} />
        {change.approves !== null && (
          <span className="max-wide:hidden">
            <Badge tone="good">{text.activity.states.approved}</Badge>
          </span>
        )}
        <time
          dateTime={new Date(change.at).toISOString()}
          title={format.date(change.at)}
          className="shrink-0 text-tiny text-soft tabular-nums"
        >
          {format.clock(change.at)}
        </time>
        <div className="flex shrink-0 items-center">
          <UndoAction
            isCompact
            isUndone={change.isUndone}
            act={(choice) => api.history.undo(change.id, choice)}
          />
          <IconButton
            label={isOpen ? text.changes.hide : text.changes.show}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <ChevronDown
              aria-hidden
              className={`size-4 transition-transform ${isOpen ? 'rotate-180' : ''}`}
            />
          </IconButton>
        </div>
      </div>
      {isOpen && (
        <div className="flex flex-col gap-2 pb-3 wide:pl-8">
          <ChangeDetails change={change} />
        </div>
      )}
    </div>
  );
}

/** The author of a change, and its diffs. */
export function ChangeDetails({ change }: { change: Change }) {
  const text = useText();
  const format = useFormat();
  const { id, at, who, approves } = change;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 text-tiny text-soft">
        <span>{`${formatAuthor(who, text)} · ${format.date(at)}`}</span>
        {who.kind === 'agent' && (
          <Link
            to="/activity/$id"
            params={{ id: approves ?? id }}
            className="rounded-small underline underline-offset-2 hover:text-ink"
          >
            {text.changes.input}
          </Link>
        )}
      </p>
      <ChangeDiffs id={id} />
    </>
  );
}

/** The added and removed lines of all files; nothing if some were not counted. */
function LineCounts({ change: { files, counts } }: { change: Change }) {
  const { changes } = useText();
  const format = useFormat();
  const sum = (key: 'added' | 'removed'): number =>
    files.reduce((total, file) => total + (file[key] ?? Number.NaN), 0);
  const [added, removed] = [sum('added'), sum('removed')];
  if (files.length < counts.files || !(added + removed > 0)) return null;
  return (
    <span
      role="img"
      aria-label={changes.lines(added, removed)}
      className="shrink-0 text-tiny tabular-nums max-wide:hidden"
    >
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
