import { isUnusable, openSectionIndex } from '../search/index.ts';
import type { SectionIndex } from '../search/index.ts';
import { isOfTheDisk } from '../vault/index.ts';
import { discardDatabase, discardIfPossible } from './databases.ts';

/** The search index of a vault, opened on first use and replaced by an empty one when it turns out to be damaged. */
export type RecoveringIndex<Opened> = {
  /** Calls `work` with the open index; calls it again with an empty index if this one was damaged. */
  use: <Value>(work: (opened: Opened) => Promise<Value>) => Promise<Value>;
  isOpen(): boolean;
  /** Deletes the index; the next use starts with an empty one. */
  discard: () => void;
  close(): Promise<void>;
};

/** `open` wraps the index in the objects that work on it; it is called for each index that is opened. */
export function createRecoveringIndex<Opened extends { index: SectionIndex }>(
  file: string,
  open: (index: SectionIndex) => Opened,
): RecoveringIndex<Opened> {
  let opened: Promise<Opened> | null = null;
  const current = (): Promise<Opened> => (opened ??= openIndex(file).then(open));
  const forget = (): void => {
    const old = opened;
    opened = null;
    void old?.then(({ index }) => index.close()).catch(() => undefined);
  };
  return {
    async use(work) {
      const mine = current();
      try {
        return await work(await mine);
      } catch (error) {
        // Several callers may meet the same damage: the first one replaces the index, and all of them retry.
        const isReplaced = opened !== mine;
        if (!isReplaced && !isUnusable(error)) throw error;
        if (!isReplaced) {
          forget();
          discardIfPossible(file);
        }
        return work(await current());
      }
    },
    isOpen: () => opened !== null,
    discard() {
      forget();
      discardDatabase(file);
    },
    async close() {
      await opened?.then(({ index }) => index.close()).catch(() => undefined);
    },
  };
}

/** In memory, for as long as the process runs, where the file cannot be written or the state folder is gone. */
async function openIndex(file: string): Promise<SectionIndex> {
  try {
    return await openSectionIndex(file);
  } catch (error) {
    if (isUnusable(error) && discardIfPossible(file)) return openSectionIndex(file);
    if (!isOfTheDisk(error) && !isUnusable(error)) throw error;
    return openSectionIndex(':memory:');
  }
}
