import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { ProgressLine } from '../activity/progress-line.tsx';
import { StepLine } from '../activity/step-list.tsx';
import { UndoButton } from '../activity/update-actions.tsx';
import { summarizeUpdate } from '../activity/update-summary.ts';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClass, IconButton } from '../ui/button.tsx';

/** The progress of the update that was sent last, shown on every page. */
export function UpdateProgress() {
  const { composer, queries } = useServices();
  const text = useText();
  const { following } = useStore(composer);
  const { data: update } = useQuery({ ...queries.updates.get(following ?? ''), enabled: following !== null });
  // Hidden on the page of the update, which shows the same.
  const isShown = useLocation({ select: ({ pathname }) => pathname === `/activity/${following}` });
  if (following === null || update === undefined || isShown) return null;
  const { label, tone, summary, isFinished } = summarizeUpdate(update, text);
  const last = update.steps.at(-1);
  return (
    <div
      role="status"
      className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 rounded-medium border border-line bg-surface py-1 pr-1 pl-3 text-small"
    >
      <div className="flex min-w-0 flex-1 basis-48 flex-wrap items-center gap-x-2 wide:flex-nowrap">
        {isFinished ? (
          <>
            <Badge tone={tone}>{label}</Badge>
            <span className="line-clamp-2 min-w-0 break-words">{summary}</span>
          </>
        ) : (
          <>
            <ProgressLine update={update} />
            {last !== undefined && <StepLine step={last} />}
          </>
        )}
      </div>
      <div className="flex items-center gap-1">
        {isFinished && <UndoButton update={update} />}
        <Link to="/activity/$id" params={{ id: following }} className={buttonClass('ghost')}>
          {text.run.show}
        </Link>
        <IconButton
          label={text.run.dismiss}
          onClick={() => composer.set((all) => ({ ...all, following: null }))}
        >
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
    </div>
  );
}
