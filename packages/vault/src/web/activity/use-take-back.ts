import { useCallback } from 'react';
import type { ConflictChoice } from '../api/history-api.ts';
import { isCode } from '../api/problem.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';

type TakeBack = (change: string, back?: () => void, choice?: ConflictChoice) => Promise<void>;

/** Takes back a change from a place that may be gone by then, as a toast; where lines were edited since, the person chooses. */
export function useTakeBack(): TakeBack {
  const { api, client, toasts, undoConflict } = useServices();
  const { activity } = useText();
  return useCallback(
    async function takeBack(change, back, choice): Promise<void> {
      try {
        await api.history.undo(change, choice);
        await client.invalidateQueries();
        back?.();
        toasts.say(activity.undone);
      } catch (error) {
        if (!isCode(error, 'conflict')) return toasts.fail(error);
        undoConflict.set({ message: error.message, choose: (next) => void takeBack(change, back, next) });
      }
    } satisfies TakeBack,
    [api, client, toasts, undoConflict, activity],
  );
}
