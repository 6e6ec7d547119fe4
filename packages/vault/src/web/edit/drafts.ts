import { createPersistentStore } from '../live/store.ts';
import type { KeyValueStorage, Store } from '../live/store.ts';

/** An unsaved text and the version of the file it is based on. It survives leaving and reloading the page. */
export type Draft = { text: string; base: string; etag: string | null };
export type Drafts = Store<Readonly<Record<string, Draft>>>;

export function isChanged({ text, base }: Draft): boolean {
  return text !== base;
}

export function createDrafts(storage: KeyValueStorage): Drafts {
  return createPersistentStore(storage, 'keepsake.drafts', (stored) =>
    typeof stored === 'object' && stored !== null ? (stored as Record<string, Draft>) : {},
  );
}

export function setDraft(drafts: Drafts, path: string, draft: Draft | null): void {
  drafts.set((all) => {
    const { [path]: _, ...others } = all;
    return draft === null ? others : { ...others, [path]: draft };
  });
}
