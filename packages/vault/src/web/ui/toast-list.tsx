import { CircleAlert, CircleCheck, X } from 'lucide-react';
import type { ApiError } from '../api/api-error.ts';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button, IconButton } from './button.tsx';

/** Short messages about recent actions, also read aloud by screen readers. */
export function ToastList() {
  const { toasts } = useServices();
  const { shell, error, problems, activity } = useText();
  const inOurs = (code: ApiError['code'] | null): string | undefined => {
    if (code === 'offline') return error.offline;
    return code === null ? undefined : problems[code];
  };
  const list = useStore(toasts.list);
  const close = (id: number): void => toasts.list.set((all) => all.filter((toast) => toast.id !== id));
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none absolute inset-x-4 bottom-3 z-50 flex flex-col items-center gap-2"
    >
      {list.map(({ id, tone, message, code, undo }) => (
        <div
          key={id}
          className="pointer-events-auto flex max-w-md items-center gap-2 rounded-medium border border-line bg-raised py-1 pr-1 pl-3 text-small shadow-raised"
        >
          {tone === 'good' ? (
            <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
          ) : (
            <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
          )}
          <span className="min-w-0 break-words">{inOurs(code) ?? message}</span>
          {undo !== null && (
            <Button
              onClick={() => {
                close(id);
                undo();
              }}
            >
              {activity.undo}
            </Button>
          )}
          <IconButton label={shell.close} onClick={() => close(id)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
