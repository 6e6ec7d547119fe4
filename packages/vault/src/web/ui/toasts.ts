import { ApiError } from '../api/problem.ts';
import { createStore } from '../live/store.ts';
import type { Store } from '../live/store.ts';

/** Of what failed, `code` is what the server says is wrong; without it the message is all there is to say. */
type Toast = {
  id: number;
  tone: 'good' | 'danger';
  message: string;
  code: ApiError['code'] | null;
  undo: (() => void) | null;
};
export type Toasts = {
  list: Store<readonly Toast[]>;
  /** With what takes it back, where it can be. */
  say: (message: string, undo?: () => void) => void;
  fail: (error: unknown) => void;
};

const shownFor = { good: 4_000, danger: 12_000, undo: 20_000 };

export function createToasts(): Toasts {
  const list = createStore<readonly Toast[]>([]);
  let last = 0;
  const add = (toast: Omit<Toast, 'id'>): void => {
    const id = (last += 1);
    const others = list.get().filter(({ message }) => message !== toast.message);
    list.set([...others.slice(-2), { ...toast, id }]);
    const time = shownFor[toast.undo === null ? toast.tone : 'undo'];
    setTimeout(() => list.set((all) => all.filter((each) => each.id !== id)), time);
  };
  return {
    list,
    say: (message, undo) => add({ tone: 'good', message, code: null, undo: undo ?? null }),
    fail(error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof ApiError ? error.code : null;
      add({ tone: 'danger', message, code, undo: null });
    },
  };
}
