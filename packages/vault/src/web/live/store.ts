import { useSyncExternalStore } from 'react';
import { place } from '../api/place.ts';

export type KeyedStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** A value that changes, and those who want to know. */
export type Store<Value> = {
  get: () => Value;
  set: (next: Value | ((present: Value) => Value)) => void;
  subscribe: (listener: () => void) => () => void;
};

export function createStore<Value>(initial: Value, onChange?: (value: Value) => void): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const fresh = typeof next === 'function' ? (next as (present: Value) => Value)(value) : next;
      if (Object.is(fresh, value)) return;
      value = fresh;
      onChange?.(value);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}

/**
 * Kept by the browser between visits, or only as long as the tab; what cannot be read any more is left aside. `kept` is
 * what of it is stored.
 */
export function createStoredValue<Value>(
  storage: KeyedStorage,
  key: string,
  read: (stored: unknown) => Value,
  kept: (value: Value) => unknown = (value) => value,
): Store<Value> {
  return createStore(read(parse(storage.getItem(key))), (value) => {
    try {
      storage.setItem(key, JSON.stringify(kept(value)));
    } catch {
      // Full, or forbidden: it is then kept in memory only.
    }
  });
}

/** For this vault alone, where a server has several. */
export function ownStorage(storage: Storage): KeyedStorage {
  const own = place();
  return {
    getItem: (key) => storage.getItem(`${own}${key}`),
    setItem: (key, value) => storage.setItem(`${own}${key}`, value),
  };
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
