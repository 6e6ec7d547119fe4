import { isCode } from '../api/problem.ts';
import { createStore } from '../live/store.ts';
import type { Store } from '../live/store.ts';

/** Without a message, it says that the server is away. */
type Toast = { id: number; tone: 'good' | 'danger'; message: string | null };
export type Toasts = {
  list: Store<readonly Toast[]>;
  say: (message: string) => void;
  fail: (error: unknown) => void;
};

const shownFor = { good: 4_000, danger: 12_000 };

export function createToasts(): Toasts {
  const list = createStore<readonly Toast[]>([]);
  let last = 0;
  const add = (tone: Toast['tone'], message: Toast['message']): void => {
    const id = (last += 1);
    list.set((all) => [...all.filter((toast) => toast.message !== message).slice(-2), { id, tone, message }]);
    setTimeout(() => list.set((all) => all.filter((toast) => toast.id !== id)), shownFor[tone]);
  };
  return {
    list,
    say: (message) => add('good', message),
    fail(error) {
      const message = error instanceof Error ? error.message : String(error);
      add('danger', isCode(error, 'offline') ? null : message);
    },
  };
}
