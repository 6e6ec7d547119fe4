import type { Emit, KeepsakeEvent } from '../contract/index.ts';

/** Hands events to whoever listens, at once and in order. */
export type Events = {
  emit: Emit;
  /** Gives a function that ends it. */
  listen(listener: (event: KeepsakeEvent) => void): () => void;
};

export function createEvents(): Events {
  const listeners = new Set<(event: KeepsakeEvent) => void>();
  return {
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
