import { describeError, formatLocalTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { createReplacementFinder, isDiskError, profilePath } from '../vault/index.ts';
import type { Layout, LineRange, VaultPath, VaultView } from '../vault/index.ts';
import { createChunkLoader } from './load-chunks.ts';
import { countNotShown, dropUnfit, loadFromLists } from './load-passages.ts';
import type { Passage, RankedList } from './load-passages.ts';
import { isInDateRange } from './date-filter.ts';
import type { DocumentResult, DocumentTexts, DocumentVersion } from './document-texts.ts';
import type { Indexer } from './indexer.ts';
import type { Scored } from './score-chunks.ts';
import { fuseRankings } from './rank-fusion.ts';
import { createLexicalRetriever, corpusStats } from './lexical-retriever.ts';
import type { Retriever, RetrievalStage } from './lexical-retriever.ts';
import { compileScopes } from './scopes.ts';
import type { PathPredicate } from './scopes.ts';
import type { SearchFilter, IndexedChunk, ChunkIndex } from './chunk-index.ts';
import { searchStaged } from './search-staged.ts';
import type { StagedFiles, StagedSearchOptions } from './search-staged.ts';

export type SearchRequest = {
  queries: readonly string[];
  mode: 'fast' | 'deep';
  /** Path patterns; empty to search everything. */
  scopes?: readonly string[] | undefined;
  /** Maximum number of passages. By default, as many as fit the token budget. */
  limit?: number | undefined;
  /** Lines of context above and below each match. */
  contextLines?: number | undefined;
  /** `2025-07-14`: only chunks of this day or later. Not offered to agents. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  /** Also searches the overview and the profile, which models have in their context anyway. */
  includesOverview?: boolean | undefined;
  /** Files hidden from the caller. */
  isExcluded?: PathPredicate | undefined;
};

export type SearchOutcome =
  | {
      kind: 'found';
      passages: Passage[];
      /** All matching text chunks, best first, including those without a passage. */
      ranked: { path: VaultPath; lines: LineRange }[];
      /** The number of matching chunks and images that are not shown, and the limit that would show more of them. */
      notShown: { count: number; limit: number | null };
      stages: RetrievalStage[];
      /** The best line of the overview or the profile, if it fits well and is not among the passages. */
      inOverview: { path: VaultPath; line: number } | null;
      /** Queries for which nothing fits well, while results of the others are shown. */
      unfitQueries: string[];
      /** Problems during the search and how to fix them; empty if there were none. */
      warnings: string[];
      /** When the index and the files were last compared, in milliseconds. */
      indexedAt: number | null;
      /** Number of files known to have changed that are not indexed yet. */
      pendingFiles: number;
      /** Number of documents, such as PDFs, whose text is not indexed yet. */
      waitingDocuments: number;
      /** Scopes that match no file. */
      unmatchedScopes: string[];
    }
  | { kind: 'bad-scope'; pattern: string; reason: string };

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

/** Score factor of session notes and templates: a note that says the same comes first. */
const secondaryWeight = 0.6;
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
      const isWanted = (path: VaultPath): boolean =>
        (scopes.scope?.(path) ?? true) && request.isExcluded?.(path) !== true;
      const allFiles = function* (): Generator<VaultPath> {
        for (const path of index.files().keys()) if (request.isExcluded?.(path) !== true) yield path;
        for (const path of staged.keys()) if (request.isExcluded?.(path) !== true) yield path;
      };
      const layout = view.layout();
      const retrieve = request.mode === 'deep' ? deep : createLexicalRetriever(index);
      const unindexed = await readUnindexed(view, layout, isWanted);
      for (let round = 1; ; round += 1) {
        // Files that are only partly indexed are skipped, and counted as pending.
        const unfinished = new Set([...index.incompleteFiles(), ...indexer.unfinished().keys()]);
        const skipped = new Set([...staged.keys(), ...unfinished]);
        const filter = { ...filterOf(request, scopes.scope, skipped), isSecondary: isSecondary(layout) };
        const { lists, stages, degraded, inOverview } = await rankQueries(request, {
          retrieve,
          filter,
          unindexed,
          staged,
          options: {
            // A staged file is about to be written, so its date is now.
            isWanted: (path, day) =>
              isWanted(path) && isInDateRange({ day, updated: formatLocalTime(clock()) }, filter),
            statistics: corpusStats(index),
            layout,
          },
        });
        const candidates = fuseRankings(lists.map(({ ranked }) => ranked));
        const loadChunks = createChunkLoader(view, {
          images: allFiles,
          isWanted,
          documentText: (revision) => {
            const known = index.documentText(revision);
            return known?.kind === 'text' ? known.text : null;
          },
        });
        const { fitting, unfit } = dropUnfit(lists);
        const { passages, stale } = await loadFromLists(fitting, loadChunks, request, layout);
        // After the last retry, chunks of files that still differ are omitted.
        if (stale.length > 0 && round < maxStaleRetries) {
          await tolerateDiskErrors(() => indexer.reindexStale(stale), problems);
          continue;
        }
        const today = formatLocalTime(clock()).slice(0, 10);
        const replaced = createReplacementFinder(view, today, replacingFiles(index, staged));
        return {
          kind: 'found',
          passages: await Promise.all(
            passages.map(async (each) => ({ ...each, replaced: await replaced(each.path, each.lines) })),
          ),
          ranked: candidates.flatMap(({ item: { kind, path, lines } }) =>
            kind === 'text' ? [{ path, lines }] : [],
          ),
          notShown: countNotShown(candidates, passages, request.limit),
          stages,
          warnings: [...problems, ...degraded],
          unfitQueries: unfit,
          inOverview: bestLineOf(inOverview),
          indexedAt: indexer.lastReconciledAt(),
          pendingFiles: pending.union(unfinished).size,
          waitingDocuments: [...indexer.waitingDocuments()].filter(isWanted).length,
          unmatchedScopes: scopes.patternsWithout(allFiles),
        };
      }
    },
  };
}

function isSecondary({ isSessionNote }: Layout): (path: VaultPath) => boolean {
  return (path) => isSessionNote(path) || /\/_?templates?\//i.test(path);
}

function filterOf(
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

type ScoredChunk = Scored<IndexedChunk>;

/** Minimum score of a line of the overview or the profile that a model is told about. */
const minOverviewScore = 0.5;

/** The files that models have in their context, and that are therefore not indexed. */
async function readUnindexed(
  view: VaultView,
  { overviewPath }: Layout,
  isWanted: (path: VaultPath) => boolean,
): Promise<Map<VaultPath, Buffer>> {
  const files = new Map<VaultPath, Buffer>();
  for (const path of [overviewPath, profilePath]) {
    const read = isWanted(path) ? await view.read(path) : null;
    if (read?.kind === 'file') files.set(path, read.bytes);
  }
  return files;
}

function bestLineOf(scored: ScoredChunk | undefined): { path: VaultPath; line: number } | null {
  if (scored === undefined) return null;
  const { item, lineScores } = scored;
  const best = lineScores.reduce(
    (most, { withNeighbors }, index) =>
      withNeighbors > (lineScores[most]?.withNeighbors ?? 0) ? index : most,
    0,
  );
  return { path: item.path, line: item.lines.start + best };
}

/** Deep search combines the queries itself. */
function separateQueries({ queries, mode }: SearchRequest): (readonly string[])[] {
  return mode === 'deep' ? [queries] : queries.map((query) => [query]);
}

type RankOptions = {
  retrieve: Retriever;
  filter: SearchFilter & { isSecondary: (path: VaultPath) => boolean };
  /** The overview and the profile. */
  unindexed: StagedFiles;
  staged: StagedFiles;
  options: Omit<StagedSearchOptions, 'queries'>;
};

/** Ranks the results of each query, from the index and from files in memory. */
async function rankQueries(
  request: SearchRequest,
  { retrieve, filter, unindexed, staged, options }: RankOptions,
): Promise<{
  lists: RankedList[];
  stages: RetrievalStage[];
  degraded: string[];
  inOverview: ScoredChunk | undefined;
}> {
  const inMemory: StagedFiles = new Map([
    ...(request.includesOverview === true ? unindexed : []),
    ...[...staged].filter(([path]) => options.layout.isSearchable(path)),
  ]);
  const stages = new Set<RetrievalStage>();
  const degraded = new Set<string>();
  const lists: RankedList[] = [];
  let inOverview: ScoredChunk | undefined;
  for (const queries of separateQueries(request)) {
    const retrieved = await retrieve(queries, filter);
    for (const stage of retrieved.stages) stages.add(stage);
    for (const warning of retrieved.degraded) degraded.add(warning);
    if (request.includesOverview !== true)
      inOverview ??= searchStaged(unindexed, { ...options, queries }).find(
        ({ score }) => score >= minOverviewScore,
      );
    const ranked = [...retrieved.ranked, ...searchStaged(inMemory, { ...options, queries })]
      .map((each) =>
        filter.isSecondary(each.item.path) ? { ...each, score: each.score * secondaryWeight } : each,
      )
      .toSorted((a, b) => b.score - a.score);
    lists.push({ query: queries.join(' '), ranked });
  }
  return { lists, stages: [...stages], degraded: [...degraded], inOverview };
}

/**
 * Finds the files whose changelog entries may replace those of a file: according to the index, and all staged files.
 */
function replacingFiles(index: ChunkIndex, staged: StagedFiles) {
  return async (path: VaultPath): Promise<Set<VaultPath>> =>
    new Set([...index.replacingFiles(path), ...staged.keys()]);
}
