import { mkdirSync } from 'node:fs';
import type { Clock } from '../contract/index.ts';
import {
  createIndexer,
  createSearchEngine,
  deepRetrieval,
  embedMissing,
  openSectionIndex,
  UnusableIndex,
} from '../search/index.ts';
import type { Indexed, Indexer, SearchEngine, SearchModels, SectionIndex } from '../search/index.ts';
import type { Catalogue, VaultView } from '../vault/index.ts';
import { databaseFile, discardDatabase, isDamage } from './databases.ts';

/** Search over one vault. The index is opened when it is first needed, and made anew when it turns out to be damaged. */
export type SearchHost = SearchEngine & {
  /** Works with index and indexer; on a fresh index once more if this one was damaged. */
  withIndex<Value>(
    work: (parts: { index: SectionIndex; indexer: Indexer }) => Promise<Value>,
  ): Promise<Value>;
  /** Brings the index up to date, for deep with the vectors of the chosen model. */
  prepare(mode: 'fast' | 'deep', onProgress?: (done: number, total: number) => void): Promise<Indexed>;
  /** Throws the index away; the next use builds it from the files. */
  discard(): void;
  close(): Promise<void>;
};

type Parts = {
  stateFolder: string;
  catalogue: Catalogue;
  view: VaultView;
  clock: Clock;
  models: () => SearchModels;
};

type Opened = { index: SectionIndex; indexer: Indexer; engine: SearchEngine };

export function createSearchHost({ stateFolder, catalogue, view, clock, models }: Parts): SearchHost {
  const file = databaseFile(stateFolder, 'index');
  let opened: Promise<Opened> | null = null;
  let usedModels: SearchModels | null = null;
  const theModels = (): SearchModels => (usedModels ??= models());
  const open = (): Promise<Opened> => (opened ??= openAll());

  const openAll = async (): Promise<Opened> => {
    const index = await openIndex(file, stateFolder);
    const indexer = createIndexer({ index, catalogue, view, clock });
    const deep = deepRetrieval(index, theModels);
    return { index, indexer, engine: createSearchEngine({ index, indexer, deep, clock }) };
  };
  const discard = (): void => {
    const old = opened;
    opened = null;
    void old?.then(({ index }) => index.close()).catch(() => undefined);
    discardDatabase(file);
  };
  /** Damage shows where it is read. Whoever meets it first makes the index anew; all of them ask once more. */
  const healing = async <Value>(work: (parts: Opened) => Promise<Value>): Promise<Value> => {
    const mine = open();
    try {
      return await work(await mine);
    } catch (error) {
      const isReplaced = opened !== mine;
      if (!isReplaced && !isDamage(error) && !(error instanceof UnusableIndex)) throw error;
      if (!isReplaced) discard();
      return work(await open());
    }
  };

  return {
    search: (...request) => healing(({ engine }) => engine.search(...request)),
    // Until somebody searched, nothing is open, and the first search compares everything.
    changed: async (paths) => (opened === null ? undefined : healing(({ engine }) => engine.changed(paths))),
    withIndex: healing,
    prepare: (mode, onProgress) =>
      healing(async ({ index, indexer }) => {
        const indexed = await indexer.reconcile(onProgress);
        const { embedder, isExcluded } = theModels();
        if (mode === 'deep' && embedder !== null) await embedMissing(index, embedder, onProgress, isExcluded);
        return indexed;
      }),
    discard,
    async close() {
      await opened?.then(({ index }) => index.close()).catch(() => undefined);
      await usedModels?.embedder?.close();
      await usedModels?.expander?.close();
      await usedModels?.reranker?.close();
    },
  };
}

/** Where nothing can be kept, the index lives in memory for as long as the process. */
async function openIndex(file: string, stateFolder: string): Promise<SectionIndex> {
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    return await openSectionIndex(file);
  } catch (error) {
    if (isDamage(error) || error instanceof UnusableIndex) {
      discardDatabase(file);
      return openSectionIndex(file);
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^(EACCES|EROFS|ENOSPC|EPERM|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_FULL)/.test(code)) throw error;
    return openSectionIndex(':memory:');
  }
}
