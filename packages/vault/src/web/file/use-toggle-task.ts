import { useCallback } from 'react';
import { useUndo } from '../activity/use-undo.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import type { ParsedFile } from './note.ts';
import type { NoteContext } from './note-context.ts';
import { setTaskState } from './toggle-task.ts';

/** Completes or reopens a task. This is an ordinary change of the file, with a toast to undo it. */
export function useToggleTask(path: string, note: ParsedFile): NonNullable<NoteContext['onToggleTask']> {
  const { api, client, queries, toasts } = useServices();
  const { file } = useText();
  const undoChange = useUndo();
  return useCallback(
    async (line, isDone) => {
      try {
        const { text, etag } = await client.fetchQuery({ ...queries.files.get(path), staleTime: 0 });
        const changed = setTaskState(text, { line, isDone, seen: note.lines[line - 1] ?? '' });
        if (changed === null) throw new Error(file.taskMoved);
        const { change } = await api.files.save(path, changed, etag);
        const undo = change === null ? undefined : () => void undoChange(change);
        toasts.show(isDone ? file.taskDone : file.taskOpen, undo);
        await client.invalidateQueries({ queryKey: ['file', path] });
      } catch (error) {
        toasts.showError(error);
        throw error;
      }
    },
    [api, client, queries, toasts, file, undoChange, path, note],
  );
}
