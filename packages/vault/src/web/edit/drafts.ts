import { createStoredValue } from '../live/store.ts';
import type { KeyedStorage, Store } from '../live/store.ts';

/** What was typed and not saved yet, with the text it began from. Survives leaving the page and loading it anew. */
export type Draft = { text: string; base: string; etag: string | null };
export type Drafts = Store<Readonly<Record<string, Draft>>>;

export function createDrafts(storage: KeyedStorage): Drafts {
  return createStoredValue(storage, 'keepsake.drafts', (stored) =>
    typeof stored === 'object' && stored !== null ? (stored as Record<string, Draft>) : {},
  );
}

export function setDraft(drafts: Drafts, path: string, draft: Draft | null): void {
  drafts.set((all) => {
    const { [path]: _, ...others } = all;
    return draft === null ? others : { ...others, [path]: draft };
  });
}
