import { describeError, formatLocalTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { createReplacementFinder, isDiskError, profilePath } from '../vault/index.ts';
import type { Layout, VaultPath, VaultView } from '../vault/index.ts';
import type { ChunkIndex, SearchFilter } from './chunk-index.ts';
import { isInDateRange } from './date-filter.ts';
import type { DocumentResult, DocumentTexts, DocumentVersion } from './document-texts.ts';
import { countMatches, countShown } from './find-matches.ts';
import type { Indexer } from './indexer.ts';
import { createLexicalRetriever } from './lexical-retriever.ts';
import type { Retriever } from './lexical-retriever.ts';
import { createChunkLoader } from './load-chunks.ts';
import { toPassage } from './load-passages.ts';
import { createFilterReader } from './query-filters.ts';
import type { FilteredQuery } from './query-filters.ts';
import { fuseRankings } from './rank-fusion.ts';
import { runSearch } from './run-search.ts';
import type { SearchResult } from './run-search.ts';
import { compileScopes, suggestScope } from './scopes.ts';
import type { SearchOutcome, SearchRequest } from './search-request.ts';
import type { PathPredicate } from './scopes.ts';
import { chunkStaged } from './search-staged.ts';
import type { StagedFiles } from './search-staged.ts';

export type SearchEngine = {
  /** Searches the files visible in the view; staged files are chunked and ranked in memory. */
  search(request: SearchRequest, view: VaultView, staged?: StagedFiles): Promise<SearchOutcome>;
  /** Whether search by meaning is set up. */
  hasEmbedder: () => boolean;
  /** Reports changed files; they are indexed before the next search. */
  filesChanged(paths: Iterable<VaultPath>): Promise<void>;
  /** The text of a document, extracted once; `search` returns its lines. */
  readDocument: (document: DocumentVersion) => Promise<DocumentResult>;
};

/** Each retry reindexes the files that turned out to have changed. */
const maxStaleRetries = 3;

type EngineDependencies = {
  index: ChunkIndex;
  indexer: Indexer;
  texts: DocumentTexts;
  deep: Retriever;
  hasEmbedder: () => boolean;
  clock: Clock;
};

export function createSearchEngine({
  index,
  indexer,
  texts,
  deep,
  hasEmbedder,
  clock,
}: EngineDependencies): SearchEngine {
  const pending = new Set<VaultPath>();
  const indexPending = async (): Promise<void> => {
    if (indexer.lastReconciledAt() === null) await indexer.reconcile();
    const paths = [...pending];
    if (paths.length > 0) await indexer.update(paths);
    for (const path of paths) pending.delete(path);
  };

  /** On a read-only or full disk the existing index can still be searched; the problem is added to the warnings. */
  const tolerateDiskErrors = async (work: () => Promise<unknown>, problems: Set<string>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!isDiskError(error)) throw error;
      problems.add(`the index is out of date (${describeError(error)}); run keepsake doctor`);
    }
  };

  return {
    readDocument: (document) => texts.read(document),
    hasEmbedder,
    async filesChanged(paths) {
      for (const path of paths) pending.add(path);
      // The first search compares all files anyway.
      if (indexer.lastReconciledAt() !== null) await indexPending();
    },
    async search(request, view, staged = new Map()) {
      const scopes = compileScopes(request.scopes ?? []);
      if (!scopes.ok) return { kind: 'bad-scope', pattern: scopes.pattern, reason: scopes.reason };
      const problems = new Set<string>();
      await tolerateDiskErrors(indexPending, problems);
      const isVisible = (path: VaultPath): boolean => request.isExcluded?.(path) !== true;
      const isWanted = (path: VaultPath): boolean => isVisible(path) && (scopes.scope?.(path) ?? true);
      const allFiles = function* (): Generator<VaultPath> {
        for (const path of index.files().keys()) if (isVisible(path)) yield path;
        for (const path of staged.keys()) if (isVisible(path)) yield path;
      };
      const layout = view.layout();
      const readFilters = createFilterReader({ index, view, files: allFiles, isVisible });
      const filtered: FilteredQuery[] = [];
      for (const query of request.queries) filtered.push(await readFilters(query));
      const unindexed = await readUnindexed(view, layout, isWanted);
      const showsOverview = request.includesOverview === true;
      const inMemory = new Map([
        ...(showsOverview ? unindexed : []),
        ...[...staged].filter(([path]) => layout.isSearchable(path)),
      ]);
      for (let round = 1; ; round += 1) {
        // Files that are only partly indexed are skipped, and counted as pending.
        const unfinished = new Set([...index.incompleteFiles(), ...indexer.unfinished().keys()]);
        const filter = createFilter(request, scopes.scope, new Set([...staged.keys(), ...unfinished]));
        // A staged file is about to be written, so its date is now.
        const isWantedOn = (path: VaultPath, day: string | null): boolean =>
          isWanted(path) && isInDateRange({ day, updated: formatLocalTime(clock()) }, filter);
        const result = await runSearch(request, {
          index,
          retrieve: request.mode === 'deep' ? deep : createLexicalRetriever(index),
          filtered,
          filter: { ...filter, isSecondary: isSecondary(layout) },
          inMemory: chunkStaged(inMemory, { isWanted: isWantedOn, layout }),
          overview: showsOverview ? [] : chunkStaged(unindexed, { isWanted: isWantedOn, layout }),
          load: createChunkLoader(view, {
            images: allFiles,
            isWanted,
            storedText: texts.stored,
          }),
        });
        // After the last retry, chunks of files that still differ are omitted.
        if (result.chosen.stale.length > 0 && round < maxStaleRetries) {
          await tolerateDiskErrors(() => indexer.reindexStale(result.chosen.stale), problems);
          continue;
        }
        const today = formatLocalTime(clock()).slice(0, 10);
        const replaced = createReplacementFinder(view, today, replacingFiles(index, staged));
        return {
          kind: 'found',
          ...(await toFound(result, replaced, { layout, files: index.files() })),
          paths: request.extent === 'paths' ? [...result.matches.keys()].toSorted() : [],
          warnings: [...problems, ...result.ranked.degraded],
          unmetFilters: filtered.flatMap(({ unmet }) => unmet),
          indexedAt: indexer.lastReconciledAt(),
          pendingFiles: pending.union(unfinished).size,
          waitingDocuments: [...indexer.waitingDocuments()].filter(isWanted).length,
          unmatchedScopes: scopes
            .patternsWithout(allFiles)
            .map((pattern) => ({ pattern, suggestion: suggestScope(pattern, allFiles()) })),
        };
      }
    },
  };
}

type Found = Extract<SearchOutcome, { kind: 'found' }>;

async function toFound(
  { chosen, matches, ranked, fits, unknownWords, nextLimit, findLines }: SearchResult,
  findReplaced: ReturnType<typeof createReplacementFinder>,
  { layout, files }: { layout: Layout; files: ReturnType<ChunkIndex['files']> },
) {
  const passages = await Promise.all(
    chosen.passages.map(async (each) => ({
      ...toPassage(each, {
        matches: findLines(each),
        hasAllWords: matches.has(each.item.path),
        layout,
        updated: files.get(each.item.path)?.updated ?? null,
      }),
      replaced: await findReplaced(each.item.path, each.shown),
    })),
  );
  return {
    passages,
    ranked: fuseRankings(ranked.lists.map((list) => list.ranked)).flatMap(({ item: { kind, path, lines } }) =>
      kind === 'text' ? [{ path, lines }] : [],
    ),
    matched: countMatches(matches),
    shown: countShown(passages, matches),
    nextLimit,
    stages: ranked.stages,
    fits,
    unfitQueries: fits ? ranked.lists.flatMap(({ query, isFitting }) => (isFitting ? [] : [query])) : [],
    unknownWords,
    inOverview: ranked.inOverview,
  } satisfies Partial<Found>;
}

function isSecondary({ isSessionNote }: Layout): PathPredicate {
  return (path) => isSessionNote(path) || /\/_?templates?\//i.test(path);
}

function createFilter(
  { dateFrom, dateTo, isExcluded }: SearchRequest,
  scope: PathPredicate | null,
  skipped: ReadonlySet<VaultPath>,
): SearchFilter {
  const isInScope =
    scope === null && skipped.size === 0 && isExcluded === undefined
      ? null
      : (path: VaultPath) =>
          !skipped.has(path) && (scope === null || scope(path)) && isExcluded?.(path) !== true;
  return { isInScope, from: dateFrom ?? null, to: dateTo ?? null };
}

/** The files that models have in their context, and that are therefore not indexed. */
async function readUnindexed(
  view: VaultView,
  { overviewPath }: Layout,
  isWanted: PathPredicate,
): Promise<Map<VaultPath, Buffer>> {
  const files = new Map<VaultPath, Buffer>();
  for (const path of [overviewPath, profilePath]) {
    const read = isWanted(path) ? await view.read(path) : null;
    if (read?.kind === 'file') files.set(path, read.bytes);
  }
  return files;
}

/**
 * Finds the files whose changelog entries may replace those of a file: according to the index, and all staged files.
 */
function replacingFiles(index: ChunkIndex, staged: StagedFiles) {
  return async (path: VaultPath): Promise<Set<VaultPath>> =>
    new Set([...index.replacingFiles(path), ...staged.keys()]);
}
