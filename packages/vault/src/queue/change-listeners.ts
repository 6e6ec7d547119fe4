import type { UpdateQueue } from './port.ts';

/** Notifies the listeners of a change that was made; gives whether one was. */
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
