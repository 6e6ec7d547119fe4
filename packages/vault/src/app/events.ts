import type { Emit, KeepsakeEvent } from '../contract/index.ts';

/** Hands events to whoever listens, at once and in order. */
export type Events = {
  emit: Emit;
  /** Gives a function that ends it. What a listener throws is its own affair: it has to tell of it by itself. */
  listen(listener: (event: KeepsakeEvent) => void): () => void;
};

export function createEvents(): Events {
  const listeners = new Set<(event: KeepsakeEvent) => void>();
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch {
          // What is told of has happened: neither it nor the other listeners may suffer from this one.
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
