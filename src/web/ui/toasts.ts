import { ApiError } from '../api/problem.ts';
import { createStore } from '../live/store.ts';
import type { Store } from '../live/store.ts';

/** Of what failed, `code` is what the server says is wrong; without it the message is all there is to say. */
type Toast = { id: number; tone: 'good' | 'danger'; message: string; code: ApiError['code'] | null };
export type Toasts = {
  list: Store<readonly Toast[]>;
  say: (message: string) => void;
  fail: (error: unknown) => void;
};

const shownFor = { good: 4_000, danger: 12_000 };

export function createToasts(): Toasts {
  const list = createStore<readonly Toast[]>([]);
  let last = 0;
  const add = (tone: Toast['tone'], message: string, code: Toast['code'] = null): void => {
    const id = (last += 1);
    list.set((all) => [
      ...all.filter((toast) => toast.message !== message).slice(-2),
      { id, tone, message, code },
    ]);
    setTimeout(() => list.set((all) => all.filter((toast) => toast.id !== id)), shownFor[tone]);
  };
  return {
    list,
    say: (message) => add('good', message),
    fail(error) {
      const message = error instanceof Error ? error.message : String(error);
      add('danger', message, error instanceof ApiError ? error.code : null);
    },
  };
}
