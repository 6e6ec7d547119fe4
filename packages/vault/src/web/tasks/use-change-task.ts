import { useMutation } from '@tanstack/react-query';
import { useUndo } from '../activity/use-undo.ts';
import { hasErrorCode } from '../api/api-error.ts';
import type { TaskItem, TaskSet } from '../api/notes-api.ts';
import { useServices } from '../shell/services.ts';
import { useRepeatMessage } from '../text/use-repeat-message.ts';
import { useDayText } from '../text/day-text.ts';

type Change = { task: TaskItem; set: TaskSet };

/** Changes a task in its note, with a toast to undo it. If it was changed elsewhere, nothing is written and the list is refreshed. */
export function useChangeTask() {
  const { api, client, toasts } = useServices();
  const text = useDayText().tasks;
  const undoChange = useUndo();
  const repeatMessage = useRepeatMessage();
  const refresh = async (path: string): Promise<void> => {
    const keys = [['tasks'], ['today'], ['projects'], ['calendar'], ['file', path.replace(/^vault\//, '')]];
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  return useMutation({
    mutationFn: ({ task, set }: Change) => api.notes.changeTask(task, set),
    async onSuccess({ change, repeat }, { task, set }) {
      const undo = change === null ? undefined : () => void undoChange(change);
      toasts.show(`${messageOf(set, text.set)}: ${task.title}${repeatMessage(repeat)}`, undo);
      await refresh(task.path);
    },
    async onError(error, { task }) {
      const isElsewhere = hasErrorCode(error, 'conflict') || hasErrorCode(error, 'changed-since');
      toasts.showError(isElsewhere ? new Error(text.elsewhere) : error);
      await refresh(task.path);
    },
  });
}

type Messages = ReturnType<typeof useDayText>['tasks']['set'];

function messageOf({ status, priority, day }: TaskSet, text: Messages): string {
  if (status !== undefined) return text[status];
  if (priority !== undefined) return text.priority;
  return day === null ? text.noDay : text.day;
}
