import type { UpdateQueue } from './update-queue.ts';

/** Notifies the listeners if there was a change, and returns `isChanged` unchanged. */
export type NotifyIf = (isChanged: boolean) => boolean;

export function createChangeListeners(): { onChange: UpdateQueue['onChange']; notifyIf: NotifyIf } {
  const listeners = new Set<() => void>();
  return {
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notifyIf(isChanged) {
      if (isChanged) for (const listener of listeners) listener();
      return isChanged;
    },
  };
}
