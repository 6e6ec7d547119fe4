import { useQuery } from '@tanstack/react-query';
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ChangeFilter } from '../api/history-api.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Modal } from '../ui/modal.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { AuthorIcon } from './author-icon.tsx';
import { ChangeDetails } from './change-row.tsx';
import { changeSentence } from './change-sentence.ts';

type Props = { filter: ChangeFilter; day: string; onClose: () => void };

const msPerChange = 3_000;

/** Shows the changes of a day one after the other, oldest first. With reduced motion, it waits for the user. */
export function DayReplay({ filter, day, onClose }: Props) {
  const { queries } = useServices();
  const text = useText();
  const format = useFormat();
  const { data: changes, error } = useQuery(queries.history.day({ ...filter, day }));
  const [at, setAt] = useState(0);
  const [isPlaying, setIsPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  const last = (changes?.length ?? 0) - 1;
  const canAdvance = isPlaying && at < last;
  useEffect(() => {
    if (!canAdvance) return;
    const timer = setTimeout(() => setAt(at + 1), msPerChange);
    return () => clearTimeout(timer);
  }, [canAdvance, at]);
  const change = changes?.[at];
  const { replay } = text.changes;
  const title = capitalize(format.day(day));
  const show = (index: number): void => {
    setIsPlaying(false);
    setAt(index);
  };
  return (
    <Modal title={title} isTitleShown isOpen onClose={onClose}>
      <div className="flex min-h-0 flex-col gap-3 p-4">
        {error !== null && <ErrorNotice error={error} />}
        {changes === undefined && error === null && <Spinner label={text.changes.loading} />}
        {changes !== undefined && (
          <div className="flex items-center gap-1">
            <IconButton label={replay.previous} disabled={at === 0} onClick={() => show(at - 1)}>
              <SkipBack aria-hidden className="size-4" />
            </IconButton>
            <IconButton
              label={canAdvance ? replay.pause : replay.play}
              onClick={() => {
                if (at >= last) setAt(0);
                setIsPlaying(!canAdvance);
              }}
            >
              {canAdvance ? (
                <Pause aria-hidden className="size-4" />
              ) : (
                <Play aria-hidden className="size-4" />
              )}
            </IconButton>
            <IconButton label={replay.next} disabled={at >= last} onClick={() => show(at + 1)}>
              <SkipForward aria-hidden className="size-4" />
            </IconButton>
            <div
              role="progressbar"
              aria-label={title}
              aria-valuemin={1}
              aria-valuemax={changes.length}
              aria-valuenow={at + 1}
              className="mx-2 h-1 min-w-0 flex-1 overflow-hidden rounded-full bg-hover"
            >
              <div className="h-full bg-accent" style={{ width: `${(100 * (at + 1)) / changes.length}%` }} />
            </div>
            <span className="text-tiny text-soft tabular-nums">
              {replay.position(at + 1, changes.length)}
            </span>
          </div>
        )}
        {change !== undefined && (
          <div key={change.id} aria-live="polite" className="flex min-h-0 flex-col gap-2 overflow-auto">
            <div className="flex items-start gap-2">
              <AuthorIcon kind={change.who.kind} />
              <p className="min-w-0 flex-1 break-words">{changeSentence(change, text)}</p>
              <time className="shrink-0 text-tiny text-soft tabular-nums">{format.clock(change.at)}</time>
            </div>
            <ChangeDetails change={change} />
          </div>
        )}
      </div>
    </Modal>
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
