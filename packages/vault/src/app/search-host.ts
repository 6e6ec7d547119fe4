import { describeError } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { ModelError } from '../models/index.ts';
import { createIndexer, createSearchEngine, deepRetrieval, embedMissing } from '../search/index.ts';
import type {
  EmbeddingOptions,
  Indexed,
  Indexer,
  SearchEngine,
  SearchModels,
  SectionIndex,
} from '../search/index.ts';
import { traced } from '../trace/index.ts';
import type { Catalogue, VaultView } from '../vault/index.ts';
import { createChosenModels } from './chosen-models.ts';
import type { ChosenModels } from './chosen-models.ts';
import { databaseFile } from './database-files.ts';
import { createRecoveringIndex } from './recovering-index.ts';

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

export function createSearchHost({ stateFolder, catalogue, view, clock, models }: Parts): SearchHost {
  const chosen = createChosenModels(models);
  const held = createRecoveringIndex(databaseFile(stateFolder, 'index'), (index) => {
    const indexer = createIndexer({ index, catalogue, view, clock });
    const deep = deepRetrieval(index, chosen.current);
    return { index, indexer, engine: createSearchEngine({ index, indexer, deep, clock }) };
  });
  let searching = 0;
  return {
    async search(...request) {
      searching += 1;
      try {
        const [{ mode, queries }] = request;
        return await traced({ work: 'search', mode, count: queries.length }, () =>
          held.use(({ engine }) => engine.search(...request)),
        );
      } finally {
        searching -= 1;
      }
    },
    isSearching: () => searching > 0,
    embed: (options) => held.use(({ index }) => embed(index, chosen, options)),
    dropGone: () =>
      held.use(async ({ index }) => {
        const { embedder } = chosen.current();
        return embedder === null ? 0 : index.vectors(embedder.fingerprint).dropGone();
      }),
    vectors: () => held.use(async ({ index }) => vectorStatus(index, chosen.current())),
    // Until the first search nothing is open, and that search compares all files.
    changed: async (paths) => (held.isOpen() ? held.use(({ engine }) => engine.changed(paths)) : undefined),
    withIndex: held.use,
    prepare: (mode, onProgress) =>
      held.use(async ({ index, indexer }) => {
        const indexed = await indexer.reconcile(onProgress);
        if (mode === 'deep') await embed(index, chosen, onProgress === undefined ? {} : { onProgress });
        return indexed;
      }),
    discard: held.discard,
    async close() {
      await held.close();
      await chosen.close();
    },
  };
}

/** Makes the missing vectors with the configured model; returns how many. The index remembers why the model failed. */
async function embed(index: SectionIndex, chosen: ChosenModels, options: EmbeddingOptions): Promise<number> {
  const { embedder, isExcluded } = await chosen.refresh();
  if (embedder === null) return 0;
  try {
    return await embedMissing(index, embedder, { ...options, isExcluded });
  } catch (error) {
    if (error instanceof ModelError) index.vectors(embedder.fingerprint).setProblem(describeError(error));
    throw error;
  }
}

function vectorStatus(index: SectionIndex, { embedder, isExcluded }: SearchModels): VectorStatus | null {
  if (embedder === null) return null;
  const table = index.vectors(embedder.fingerprint);
  return {
    sections: table.seenCount(isExcluded),
    missing: table.missingCount(isExcluded),
    problem: table.problem(),
  };
}
