import { describeError } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { ModelError } from '../models/index.ts';
import {
  createIndexer,
  createSearchEngine,
  deepRetrieval,
  embedMissing,
  isUnusable,
  openSectionIndex,
} from '../search/index.ts';
import type {
  EmbeddingOptions,
  Indexed,
  Indexer,
  SearchEngine,
  SearchModels,
  SectionIndex,
} from '../search/index.ts';
import { traced } from '../trace/index.ts';
import { isOfTheDisk } from '../vault/index.ts';
import type { Catalogue, VaultView } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { discardDatabase, discardIfPossible } from './databases.ts';

/** Search over one vault. The index is opened when it is first needed, and made anew when it turns out to be damaged. */
export type SearchHost = SearchEngine & {
  /** Works with index and indexer; on a fresh index once more if this one was damaged. */
  withIndex<Value>(
    work: (parts: { index: SectionIndex; indexer: Indexer }) => Promise<Value>,
  ): Promise<Value>;
  /** Brings the index up to date, for deep with the vectors of the chosen model. */
  prepare(mode: 'fast' | 'deep', onProgress?: (done: number, total: number) => void): Promise<Indexed>;
  /** Gives vectors to all sections that want some; gives how many there were, none where there is no model. */
  embed(options: EmbeddingOptions): Promise<number>;
  /** Drops the vectors of sections that are gone; gives of how many contents. */
  dropGone(): Promise<number>;
  /** Whether somebody waits for a search. */
  isSearching(): boolean;
  /** How far the vectors of the chosen model are; null when none is chosen. */
  vectors(): Promise<VectorStatus | null>;
  /** Throws the index away; the next use builds it from the files. */
  discard(): void;
  close(): Promise<void>;
};

type VectorStatus = {
  /** Those that a model may see. */
  sections: number;
  missing: number;
  /** Why the last attempt to make the missing ones failed. */
  problem: string | null;
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
  let searching = 0;
  let usedModels: SearchModels | null = null;
  const theModels = (): SearchModels => (usedModels ??= models());
  /** The configuration may name another model by now, or keep other files from models. */
  const modelsNow = async (): Promise<SearchModels> => {
    const [old, now] = [theModels(), models()];
    if (old.embedder?.fingerprint === now.embedder?.fingerprint)
      return (usedModels = { ...old, isExcluded: now.isExcluded });
    usedModels = now;
    await closeModels(old);
    return now;
  };
  const open = (): Promise<Opened> => (opened ??= openAll());

  const openAll = async (): Promise<Opened> => {
    const index = await openIndex(file);
    const indexer = createIndexer({ index, catalogue, view, clock });
    const deep = deepRetrieval(index, theModels);
    return { index, indexer, engine: createSearchEngine({ index, indexer, deep, clock }) };
  };
  const forget = (): void => {
    const old = opened;
    opened = null;
    void old?.then(({ index }) => index.close()).catch(() => undefined);
  };
  const discard = (): void => {
    forget();
    discardDatabase(file);
  };
  /** Damage shows where it is read. Whoever meets it first makes the index anew; all of them ask once more. */
  const healing = async <Value>(work: (parts: Opened) => Promise<Value>): Promise<Value> => {
    const mine = open();
    try {
      return await work(await mine);
    } catch (error) {
      const isReplaced = opened !== mine;
      if (!isReplaced && !isUnusable(error)) throw error;
      if (!isReplaced) {
        forget();
        discardIfPossible(file);
      }
      return work(await open());
    }
  };

  const embed = async (index: SectionIndex, options: EmbeddingOptions): Promise<number> => {
    const { embedder, isExcluded } = await modelsNow();
    if (embedder === null) return 0;
    try {
      return await embedMissing(index, embedder, { ...options, isExcluded });
    } catch (error) {
      if (error instanceof ModelError) index.vectors(embedder.fingerprint).setProblem(describeError(error));
      throw error;
    }
  };

  return {
    async search(...request) {
      searching += 1;
      try {
        const [{ mode, queries }] = request;
        return await traced({ work: 'search', mode, count: queries.length }, () =>
          healing(({ engine }) => engine.search(...request)),
        );
      } finally {
        searching -= 1;
      }
    },
    isSearching: () => searching > 0,
    embed: (options) => healing(({ index }) => embed(index, options)),
    dropGone: () =>
      healing(async ({ index }) => {
        const { embedder } = theModels();
        return embedder === null ? 0 : index.vectors(embedder.fingerprint).dropGone();
      }),
    vectors: () =>
      healing(async ({ index }) => {
        const { embedder, isExcluded } = theModels();
        if (embedder === null) return null;
        const table = index.vectors(embedder.fingerprint);
        return {
          sections: table.seenCount(isExcluded),
          missing: table.missingCount(isExcluded),
          problem: table.problem(),
        };
      }),
    // Until somebody searched, nothing is open, and the first search compares everything.
    changed: async (paths) => (opened === null ? undefined : healing(({ engine }) => engine.changed(paths))),
    withIndex: healing,
    prepare: (mode, onProgress) =>
      healing(async ({ index, indexer }) => {
        const indexed = await indexer.reconcile(onProgress);
        if (mode === 'deep') await embed(index, onProgress === undefined ? {} : { onProgress });
        return indexed;
      }),
    discard,
    async close() {
      await opened?.then(({ index }) => index.close()).catch(() => undefined);
      if (usedModels !== null) await closeModels(usedModels);
    },
  };
}

async function closeModels({ embedder, expander, reranker }: SearchModels): Promise<void> {
  for (const model of [embedder, expander, reranker]) await model?.close();
}

/** Where nothing can be kept, or the state folder is gone, the index lives in memory for as long as the process. */
async function openIndex(file: string): Promise<SectionIndex> {
  try {
    return await openSectionIndex(file);
  } catch (error) {
    if (isUnusable(error) && discardIfPossible(file)) return openSectionIndex(file);
    if (!isOfTheDisk(error) && !isUnusable(error)) throw error;
    return openSectionIndex(':memory:');
  }
}
