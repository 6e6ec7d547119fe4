import { useCallback } from 'react';
import type { TaskChanged } from '../api/notes-api.ts';
import { useFormat } from './format.ts';
import { useText } from './use-text.ts';

/** What a message about a completed task adds about its repetition; empty if it does not repeat. */
export function useRepeatMessage(): (repeat: TaskChanged['repeat']) => string {
  const { nextTask } = useText().file;
  const { nearDay } = useFormat();
  return useCallback(
    (repeat) => {
      if (repeat === null) return '';
      const { kind, rule, day } = repeat;
      if (kind === 'repeated') return `. ${day === null ? nextTask.undated : nextTask.on(nearDay(day))}`;
      return `. ${nextTask[kind](rule)}`;
    },
    [nextTask, nearDay],
  );
}
