import { describeError, lastSegment, formatLocalTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { createReplacementFinder, isDiskError, fileKindOf } from '../vault/index.ts';
import type { Layout, LineRange, ReplacedEntry, Revision, VaultPath, VaultView } from '../vault/index.ts';
import { createChunkLoader } from './load-chunks.ts';
import type { LoadedFile, LoadedChunk, LoadChunks } from './load-chunks.ts';
import { isInDateRange } from './date-filter.ts';
import type { Indexer } from './indexer.ts';
import { isBlank } from './paragraph.ts';
import { selectPassages, maxLineCharacters } from './passages.ts';
import type { PassageLimits, PassageRange, PassageCandidate } from './passages.ts';
import type { Scored } from './score-chunks.ts';
import { createLexicalRetriever, corpusStats } from './lexical-retriever.ts';
import type { Retriever, RetrievalStage } from './lexical-retriever.ts';
import { compileScopes } from './scopes.ts';
import type { PathPredicate } from './scopes.ts';
import type { SearchFilter, IndexedChunk, ChunkIndex } from './chunk-index.ts';
import { headingsAtLine, headingPathOf } from './chunker.ts';
import { dateFromHeading } from './entry-dates.ts';
import { searchStaged } from './search-staged.ts';
import type { StagedFiles } from './search-staged.ts';

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
  /** Files hidden from the caller. */
  isExcluded?: PathPredicate | undefined;
};

/** A passage that matches: lines of a chunk with the surrounding lines of the file. */
export type Passage = {
  path: VaultPath;
  revision: Revision;
  lines: LineRange;
  shownLines: string[];
  totalLines: number;
  /** Whether the passage shows the whole file, apart from its frontmatter. */
  isWholeFile: boolean;
  /** The best matching line. */
  bestLine: number;
  /** The lines of the chunk that the passage comes from. */
  chunkRange: LineRange;
  score: number;
  /** Project, file and the headings above the best line. */
  headingPath: string;
  /** The day of the event, if a changelog entry states another one than the heading of its day; otherwise null. */
  when: string | null;
  /** The day on which a changelog entry takes effect, if it states one; otherwise null. */
  from: string | null;
  /** Changelog entries within these lines that later entries replace. */
  replaced: ReplacedEntry[];
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
      /** Problems during the search and how to fix them; empty if there were none. */
      warnings: string[];
      /** When the index and the files were last compared, in milliseconds. */
      indexedAt: number | null;
      /** Number of files known to have changed that are not indexed yet. */
      pendingFiles: number;
      /** Scopes that match no file. */
      unmatchedScopes: string[];
    }
  | { kind: 'bad-scope'; pattern: string; reason: string };

export type SearchEngine = {
  /** Searches the files visible in the view; staged files are chunked and ranked in memory. */
  search(request: SearchRequest, view: VaultView, staged?: StagedFiles): Promise<SearchOutcome>;
  /** Reports changed files; they are indexed before the next search. */
  filesChanged(paths: Iterable<VaultPath>): Promise<void>;
};

export const maxResults = 50;
/**
 * Limits without an explicit `limit`: number of passages, tokens in total, and minimum score relative to the best
 * passage.
 */
const defaultPassageLimits = {
  maxPassages: 20,
  minPassages: 3,
  tokenBudget: 2_000,
  maxTokens: 6_000,
  minRelativeScore: 0.25,
};
/** Maximum number of tokens if the caller passes a `limit`. */
const maxPassageTokens = 15_000;
/** If less than this share of the budget remains, no further files are read. */
const minRemainingShare = 0.1;
const defaultContextLines = 3;
/** Score factor of session notes: a note that says the same comes first. */
const sessionWeight = 0.6;
/** Each retry reindexes the files that turned out to have changed. */
const maxStaleRetries = 3;

type EngineDependencies = { index: ChunkIndex; indexer: Indexer; deep: Retriever; clock: Clock };

export function createSearchEngine({ index, indexer, deep, clock }: EngineDependencies): SearchEngine {
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
      for (let round = 1; ; round += 1) {
        // Files that are only partly indexed are skipped, and counted as pending.
        const unfinished = new Set([...index.incompleteFiles(), ...indexer.unfinished().keys()]);
        const skipped = new Set([...staged.keys(), ...unfinished]);
        const filter = { ...filterOf(request, scopes.scope, skipped), isSecondary: layout.isSessionNote };
        const { ranked, stages, degraded } = await retrieve(request.queries, filter);
        const stagedMatches = searchStaged(staged, {
          queries: request.queries,
          // A staged file is about to be written, so its date is now.
          isWanted: (path, day) =>
            isWanted(path) && isInDateRange({ day, updated: formatLocalTime(clock()) }, filter),
          statistics: corpusStats(index),
          layout,
        });
        const candidates = [...ranked, ...stagedMatches]
          .map((each) =>
            layout.isSessionNote(each.item.path) ? { ...each, score: each.score * sessionWeight } : each,
          )
          .toSorted((a, b) => b.score - a.score);
        const loadChunks = createChunkLoader(view, { paths: allFiles, isWanted });
        const { passages, stale } = await loadPassages(candidates, loadChunks, request, layout);
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
          indexedAt: indexer.lastReconciledAt(),
          pendingFiles: pending.union(unfinished).size,
          unmatchedScopes: scopes.patternsWithout(allFiles),
        };
      }
    },
  };
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

/** Number of chunks loaded at a time; most searches need one batch. */
const loadBatchSize = 10;

/** Loads chunks and their files until the passage limits are reached or a batch adds nothing. */
async function loadPassages(
  ranked: readonly Scored<IndexedChunk>[],
  loadChunks: LoadChunks,
  { limit, contextLines = defaultContextLines }: SearchRequest,
  layout: Layout,
): Promise<{ passages: PassageWithoutReplaced[]; stale: VaultPath[] }> {
  const bounds = passageLimits(limit, contextLines);
  const current: LoadedChunk[] = [];
  const stale: VaultPath[] = [];
  let chosen: ReturnType<typeof selectPassages> = { passages: [], left: bounds.tokenBudget };
  for (let start = 0; start < ranked.length; start += loadBatchSize) {
    const loaded = await loadChunks(ranked.slice(start, start + loadBatchSize));
    current.push(...loaded.current);
    stale.push(...loaded.stale);
    const before = chosen;
    chosen = selectPassages(current.map(toPassageCandidate), bounds);
    const isFull =
      chosen.passages.length >= bounds.minPassages && chosen.left < bounds.tokenBudget * minRemainingShare;
    const isIdle =
      start > 0 && chosen.left === before.left && chosen.passages.length >= defaultPassageLimits.minPassages;
    if (isFull || isIdle) break;
  }
  return { passages: chosen.passages.map((each) => toPassage(each, current, layout)), stale };
}

type PassageWithoutReplaced = Omit<Passage, 'replaced'>;

/**
 * Finds the files whose changelog entries may replace those of a file: according to the index, and all staged files.
 */
function replacingFiles(index: ChunkIndex, staged: StagedFiles) {
  return async (path: VaultPath): Promise<Set<VaultPath>> =>
    new Set([...index.replacingFiles(path), ...staged.keys()]);
}

/** Counts an image once, even if several chunks describe it. */
function countNotShown(
  ranked: readonly Scored<IndexedChunk>[],
  passages: readonly PassageWithoutReplaced[],
  limit: number | undefined,
): { count: number; limit: number | null } {
  const found = ranked.map(({ item: { kind, path, lines } }) =>
    typeof kind === 'object' ? lastSegment(kind.target) : `${path}:${lines.start}`,
  );
  const shown = passages.map(({ path, chunkRange }) =>
    fileKindOf(path) === 'image' ? lastSegment(path) : `${path}:${chunkRange.start}`,
  );
  const count = new Set(found).size - new Set(shown).size;
  const next = Math.min(maxResults, Math.max(limit ?? 0, passages.length) + 10);
  return { count: Math.max(0, count), limit: next > (limit ?? 0) ? next : null };
}

function passageLimits(limit: number | undefined, context: number): PassageLimits {
  if (limit === undefined) return { ...defaultPassageLimits, context };
  const maxPassages = Math.min(limit, maxResults);
  return {
    ...defaultPassageLimits,
    maxPassages,
    minPassages: maxPassages,
    maxTokens: maxPassageTokens,
    minRelativeScore: 0,
    context,
  };
}

function toPassageCandidate({
  item: { path, lines },
  score,
  lineScores,
  file,
}: LoadedChunk): PassageCandidate {
  return { path, lines, score, lineScores, fileLines: file.lines, bodyStart: file.bodyStart };
}

function toPassage(
  { chunk, shown, best, score }: PassageRange,
  current: readonly LoadedChunk[],
  layout: Layout,
): PassageWithoutReplaced {
  const { item, file } = current[chunk] as LoadedChunk;
  const [date = '', from = null] = item.date.split(' ');
  return {
    path: item.path,
    revision: item.revision,
    lines: shown,
    shownLines: file.lines.slice(shown.start - 1, shown.end),
    totalLines: file.lines.length,
    isWholeFile: coversFile(shown, file),
    bestLine: best,
    chunkRange: item.lines,
    score,
    when: date === '' || date === dateFromHeading(item.headings) ? null : date,
    from,
    // The heading path of an image is that of the note that links to it.
    headingPath:
      typeof item.kind === 'object'
        ? item.headingPath
        : headingPathOf(item.path, headingsAtLine(item, best, file), layout),
  };
}

/** Whether all text is shown and no line is truncated. The frontmatter is either complete or omitted. */
function coversFile({ start, end }: LineRange, { lines, bodyStart }: LoadedFile): boolean {
  return (
    (start === 1 || start >= bodyStart) &&
    lines.slice(bodyStart - 1, start - 1).every(isBlank) &&
    lines.slice(end).every(isBlank) &&
    lines.slice(start - 1, end).every((line) => line.length <= maxLineCharacters)
  );
}
