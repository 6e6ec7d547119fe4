import { useCallback } from 'react';
import { useTakeBack } from '../activity/use-take-back.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import type { Note } from './note.ts';
import type { Around } from './around.ts';
import { withTask } from './with-task.ts';

/** Ticks a task off, or opens it again: a change of the file like any other, with its undo. */
export function useToggleTask(path: string, note: Note): NonNullable<Around['onTask']> {
  const { api, client, queries, toasts } = useServices();
  const { file } = useText();
  const takeBack = useTakeBack();
  return useCallback(
    async (line, isDone) => {
      try {
        const { text, etag } = await client.fetchQuery({ ...queries.files.get(path), staleTime: 0 });
        const changed = withTask(text, { line, isDone, seen: note.lines[line - 1] ?? '' });
        if (changed === null) throw new Error(file.taskMoved);
        const { change } = await api.files.save(path, changed, etag);
        const undo = change === null ? undefined : () => void takeBack(change);
        toasts.say(isDone ? file.taskDone : file.taskOpen, undo);
        await client.invalidateQueries({ queryKey: ['file', path] });
      } catch (error) {
        toasts.fail(error);
        throw error;
      }
    },
    [api, client, queries, toasts, file, takeBack, path, note],
  );
}
