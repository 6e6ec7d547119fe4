import { useSyncExternalStore } from 'react';
import { vaultPrefix } from '../api/vault-prefix.ts';

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** An observable value. */
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
 * A store that is persisted in `storage` as JSON. `deserialize` gets the stored value, or null if it is missing or not valid JSON.
 * `serialize` selects the part that is stored.
 */
export function createPersistentStore<Value>(
  storage: KeyValueStorage,
  key: string,
  deserialize: (stored: unknown) => Value,
  serialize: (value: Value) => unknown = (value) => value,
): Store<Value> {
  return createStore(deserialize(parse(storage.getItem(key))), (value) => {
    try {
      storage.setItem(key, JSON.stringify(serialize(value)));
    } catch {
      // The storage is full or forbidden; the value is then kept in memory only.
    }
  });
}

/** Storage with separate keys per vault, for servers with several vaults. */
export function vaultStorage(storage: Storage): KeyValueStorage {
  const own = vaultPrefix();
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
