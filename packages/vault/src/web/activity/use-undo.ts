import { useCallback } from 'react';
import type { ConflictChoice } from '../api/history-api.ts';
import { hasErrorCode } from '../api/api-error.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';

type Undo = (
  change: string,
  onUndone?: () => void,
  choice?: ConflictChoice,
  /** Whether the change is itself an undo. */
  isRedo?: boolean,
) => Promise<void>;

/**
 * Undoes a change, even after the calling component (for example a toast) has unmounted. On a conflict with later
 * edits, the user chooses a version in a dialog of the layout. The undo can be undone from its message.
 */
export function useUndo(): Undo {
  const { api, client, toasts, pendingUndoConflict } = useServices();
  const { activity } = useText();
  return useCallback(
    async function undoChange(change, onUndone, choice, isRedo = false): Promise<void> {
      try {
        const { as } = await api.history.undo(change, choice);
        await client.invalidateQueries();
        onUndone?.();
        toasts.show(
          isRedo ? activity.redone : activity.undone,
          as === null ? undefined : () => void undoChange(as, undefined, undefined, !isRedo),
        );
      } catch (error) {
        if (!hasErrorCode(error, 'conflict')) return toasts.showError(error);
        pendingUndoConflict.set({
          files: error.conflicts,
          choose: (next) => void undoChange(change, onUndone, next, isRedo),
        });
      }
    } satisfies Undo,
    [api, client, toasts, pendingUndoConflict, activity],
  );
}
