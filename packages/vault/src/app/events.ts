import type { EmitEvent, KeepsakeEvent } from '../contract/index.ts';

/** Delivers events to all listeners, synchronously and in order. */
export type EventBus = {
  emit: EmitEvent;
  /** Returns a function that unsubscribes. Errors thrown by a listener are ignored; it must report them itself. */
  subscribe(listener: (event: KeepsakeEvent) => void): () => void;
};

export function createEventBus(): EventBus {
  const listeners = new Set<(event: KeepsakeEvent) => void>();
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch {
          // A failing listener must affect neither the operation that emitted the event nor the other listeners.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
