import { isIndexUnusable, openChunkIndex } from '../search/index.ts';
import type { ChunkIndex } from '../search/index.ts';
import { isDiskError } from '../vault/index.ts';
import { discardDatabase, isMarkedDamaged } from './database-files.ts';
import { tryDiscardDatabase } from './databases.ts';
import { readInode } from './state-folder.ts';

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
export function createRecoveringIndex<Opened extends { index: ChunkIndex }>(
  file: string,
  open: (index: ChunkIndex) => Opened,
): RecoveringIndex<Opened> {
  let opened: Promise<Opened> | null = null;
  let inode: string | null = null;
  const current = (): Promise<Opened> => {
    if (opened !== null && isReplaced()) forget();
    if (opened === null && isMarkedDamaged(file)) tryDiscardDatabase(file);
    return (opened ??= openIndex(file)
      .then(open)
      .finally(() => (inode = readInode(file))));
  };
  /** Another process may have found damage. */
  const isReplaced = (): boolean => isMarkedDamaged(file) || (inode !== null && readInode(file) !== inode);
  const forget = (): void => {
    const old = opened;
    opened = null;
    inode = null;
    void old?.then(({ index }) => index.close()).catch(() => undefined);
  };
  return {
    async use(work) {
      const ownIndex = current();
      try {
        return await work(await ownIndex);
      } catch (error) {
        // Several callers may encounter the same damage: the first one replaces the index, and all of them retry.
        const wasReplaced = opened !== ownIndex;
        if (!wasReplaced && !isIndexUnusable(error)) throw error;
        if (!wasReplaced) {
          forget();
          tryDiscardDatabase(file);
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

/** Falls back to an index in memory when the file cannot be written or the state folder is gone. */
async function openIndex(file: string): Promise<ChunkIndex> {
  try {
    return await openChunkIndex(file);
  } catch (error) {
    if (isIndexUnusable(error) && tryDiscardDatabase(file)) return openChunkIndex(file);
    if (!isDiskError(error) && !isIndexUnusable(error)) throw error;
    return openChunkIndex(':memory:');
  }
}
