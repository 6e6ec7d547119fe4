import { createPersistentStore } from './store.ts';
import type { KeyValueStorage, Store } from './store.ts';

const maxRecentFiles = 12;

/** The paths of the files that were opened last in this browser, newest first. */
export function createRecentFiles(storage: KeyValueStorage): Store<readonly string[]> {
  return createPersistentStore<readonly string[]>(storage, 'keepsake.recent-files', (stored) =>
    Array.isArray(stored) ? stored.filter((path) => typeof path === 'string').slice(0, maxRecentFiles) : [],
  );
}

export function addRecentFile(recent: Store<readonly string[]>, path: string): void {
  recent.set((paths) => [path, ...paths.filter((each) => each !== path)].slice(0, maxRecentFiles));
}
