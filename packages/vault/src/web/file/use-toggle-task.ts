import { useCallback } from 'react';
import { useUndo } from '../activity/use-undo.ts';
import { hasErrorCode } from '../api/api-error.ts';
import { useServices } from '../shell/services.ts';
import { useRepeatMessage } from '../text/use-repeat-message.ts';
import { useText } from '../text/use-text.ts';
import type { ParsedFile } from './note.ts';
import type { NoteContext } from './note-context.ts';

/** Completes or reopens a task in its note, with a toast to undo it. */
export function useToggleTask(path: string, note: ParsedFile): NonNullable<NoteContext['onToggleTask']> {
  const { api, client, toasts } = useServices();
  const { file } = useText();
  const repeatMessage = useRepeatMessage();
  const undoChange = useUndo();
  return useCallback(
    async (line, isDone) => {
      try {
        const seen = note.lines[line - 1] ?? '';
        const { change, repeat } = await api.notes.tickTask(path, line, seen, isDone);
        const undo = change === null ? undefined : () => void undoChange(change);
        toasts.show((isDone ? file.taskDone : file.taskOpen) + repeatMessage(repeat), undo);
        await client.invalidateQueries({ queryKey: ['file', path] });
      } catch (error) {
        const isElsewhere = hasErrorCode(error, 'conflict') || hasErrorCode(error, 'changed-since');
        toasts.showError(isElsewhere ? new Error(file.taskMoved) : error);
        throw error;
      }
    },
    [api, client, toasts, file, repeatMessage, undoChange, path, note],
  );
}
