export { createSearchEngine, defaultLimit, mostResults } from './engine.ts';
export type { FoundSection, SearchEngine, SearchOutcome, SearchRequest } from './engine.ts';
export { deepRetrieval } from './deep.ts';
export type { SearchModels } from './deep.ts';
export { createIndexer } from './indexer.ts';
export type { Indexed, Indexer } from './indexer.ts';
export { openSectionIndex, UnusableIndex } from './qmd/open-index.ts';
export type { SectionIndex } from './section-index.ts';
export { checkScopes, parseScopes } from './scopes.ts';
export { embedMissing } from './embed-missing.ts';
export {
  createLocalEmbedder,
  createRemoteEmbedder,
  createRemoteExpander,
  createRemoteReranker,
  downloadModel,
  explainModelFailure,
  hasRuntime,
  installRuntime,
  knownModel,
  knownModels,
  ModelError,
} from './models/index.ts';
export type { Embedder, KnownModel } from './models/index.ts';
