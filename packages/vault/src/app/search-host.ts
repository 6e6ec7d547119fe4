import { describeError } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { ModelError } from '../models/index.ts';
import {
  createDocumentTexts,
  createIndexer,
  createSearchEngine,
  createHybridRetriever,
  embedMissingChunks,
} from '../search/index.ts';
import type {
  DocumentIndexOptions,
  EmbeddingOptions,
  IndexStats,
  Indexer,
  ReadDocument,
  SearchEngine,
  SearchModels,
  ChunkIndex,
} from '../search/index.ts';
import { withSpan } from '../trace/index.ts';
import type { Catalogue, VaultView } from '../vault/index.ts';
import { createChosenModels } from './chosen-models.ts';
import type { ChosenModels } from './chosen-models.ts';
import { databaseFile } from './database-files.ts';
import { createRecoveringIndex } from './recovering-index.ts';

/** Search over one vault. The index is opened on first use, and rebuilt when it turns out to be damaged. */
export type SearchHost = SearchEngine & {
  /** Calls `work` with the index and the indexer; if the index is damaged, calls it once more with an empty one. */
  withIndex<Value>(work: (parts: { index: ChunkIndex; indexer: Indexer }) => Promise<Value>): Promise<Value>;
  /** Updates the index; in deep mode, also the vectors of the configured model. */
  prepare(mode: 'fast' | 'deep', onProgress?: (done: number, total: number) => void): Promise<IndexStats>;
  /** Indexes the text of documents, such as PDFs, and returns how many; stops early when the signal is aborted. */
  indexDocuments(options: DocumentIndexOptions): Promise<number>;
  /** Computes all missing vectors and returns their number, which is 0 when there is no model. */
  embed(options: EmbeddingOptions): Promise<number>;
  /** Deletes the vectors of sections that no longer exist; returns how many. */
  deleteOrphaned(): Promise<number>;
  /** Whether a search is running. */
  isSearching(): boolean;
  /** How complete the vectors of the configured model are; null when no model is configured. */
  vectors(): Promise<VectorStatus | null>;
  /** Deletes the index; the next use rebuilds it from the files. */
  discard(): void;
  close(): Promise<void>;
};

type VectorStatus = {
  /** The number of sections that are not hidden from models. */
  sections: number;
  missing: number;
  /** Why the last attempt to compute the missing vectors failed. */
  problem: string | null;
};

type Dependencies = {
  stateFolder: string;
  catalogue: Catalogue;
  view: VaultView;
  clock: Clock;
  models: () => SearchModels;
  readDocument: ReadDocument;
};

export function createSearchHost({
  stateFolder,
  catalogue,
  view,
  clock,
  models,
  readDocument,
}: Dependencies): SearchHost {
  const chosen = createChosenModels(models);
  const hasEmbedder = (): boolean => chosen.current().embedder !== null;
  const held = createRecoveringIndex(databaseFile(stateFolder, 'index'), (index) => {
    const texts = createDocumentTexts(index, readDocument);
    const indexer = createIndexer({ index, catalogue, view, clock, texts });
    const deep = createHybridRetriever(index, chosen.current);
    return {
      index,
      indexer,
      engine: createSearchEngine({ index, indexer, texts, deep, hasEmbedder, clock }),
    };
  });
  let searching = 0;
  return {
    async search(...request) {
      searching += 1;
      try {
        const [{ mode, queries }] = request;
        return await withSpan({ name: 'search', mode, count: queries.length }, () =>
          held.use(({ engine }) => engine.search(...request)),
        );
      } finally {
        searching -= 1;
      }
    },
    readDocument: (document) => held.use(({ engine }) => engine.readDocument(document)),
    hasEmbedder,
    isSearching: () => searching > 0,
    indexDocuments: (options) => held.use(({ indexer }) => indexer.indexDocuments(options)),
    embed: (options) => held.use(({ index }) => embed(index, chosen, options)),
    deleteOrphaned: () =>
      held.use(async ({ index }) => {
        const { embedder } = chosen.current();
        return embedder === null ? 0 : index.vectors(embedder.fingerprint).pruneOrphans();
      }),
    vectors: () => held.use(async ({ index }) => vectorStatus(index, chosen.current())),
    // Before the first search the index is not open; that search compares all files anyway.
    filesChanged: async (paths) =>
      held.isOpen() ? held.use(({ engine }) => engine.filesChanged(paths)) : undefined,
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

/** Computes the missing vectors with the configured model; returns how many. The index stores why the model failed. */
async function embed(index: ChunkIndex, chosen: ChosenModels, options: EmbeddingOptions): Promise<number> {
  const { embedder, isExcluded } = await chosen.refresh();
  if (embedder === null) return 0;
  try {
    return await embedMissingChunks(index, embedder, { ...options, isExcluded });
  } catch (error) {
    if (error instanceof ModelError) index.vectors(embedder.fingerprint).setLastError(describeError(error));
    throw error;
  }
}

function vectorStatus(index: ChunkIndex, { embedder, isExcluded }: SearchModels): VectorStatus | null {
  if (embedder === null) return null;
  const table = index.vectors(embedder.fingerprint);
  return {
    sections: table.countVisible(isExcluded),
    missing: table.countWithoutVectors(isExcluded),
    problem: table.lastError(),
  };
}
