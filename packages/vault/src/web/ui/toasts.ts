import { ApiError } from '../api/api-error.ts';
import { createStore } from '../live/store.ts';
import type { Store } from '../live/store.ts';

/** `code` is the error code of the server; if it is null, `message` is shown as it is. */
type Toast = {
  id: number;
  tone: 'good' | 'danger';
  message: string;
  code: ApiError['code'] | null;
  undo: (() => void) | null;
};
export type Toasts = {
  list: Store<readonly Toast[]>;
  /** Shows a message, with an undo button if `undo` is given. */
  show: (message: string, undo?: () => void) => void;
  showError: (error: unknown) => void;
};

const toastDurationMs = { good: 4_000, danger: 12_000, undo: 20_000 };

export function createToasts(): Toasts {
  const list = createStore<readonly Toast[]>([]);
  let last = 0;
  const add = (toast: Omit<Toast, 'id'>): void => {
    const id = (last += 1);
    const others = list.get().filter(({ message }) => message !== toast.message);
    list.set([...others.slice(-2), { ...toast, id }]);
    const time = toastDurationMs[toast.undo === null ? toast.tone : 'undo'];
    setTimeout(() => list.set((all) => all.filter((each) => each.id !== id)), time);
  };
  return {
    list,
    show: (message, undo) => add({ tone: 'good', message, code: null, undo: undo ?? null }),
    showError(error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof ApiError ? error.code : null;
      add({ tone: 'danger', message, code, undo: null });
    },
  };
}
