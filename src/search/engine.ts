import { localTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { decodeText, revisionOf, splitLines } from '../vault/index.ts';
import type { LineRange, Revision, VaultPath, VaultView } from '../vault/index.ts';
import { chooseLines, shownBudget } from './choose-lines.ts';
import { isInTime } from './in-time.ts';
import type { Indexer } from './indexer.ts';
import type { Ranked } from './rank.ts';
import { lexicalRetrieval, statisticsOf } from './retrieve.ts';
import type { Retrieve, Stage } from './retrieve.ts';
import { parseScopes } from './scopes.ts';
import type { Scope } from './scopes.ts';
import type { Filter, IndexedSection, SectionIndex } from './section-index.ts';
import { rankStaged } from './staged-sections.ts';
import type { StagedTexts } from './staged-sections.ts';

export type SearchRequest = {
  queries: readonly string[];
  mode: 'fast' | 'deep';
  /** Path patterns; none for everything. */
  scopes?: readonly string[] | undefined;
  limit?: number | undefined;
  /** Lines above and below what was found. */
  context?: number | undefined;
  /** `2025-07-14`: only sections of that day or later. Not offered to agents. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  /** Files that whoever asks must not see. */
  isExcluded?: Scope | undefined;
};

/** A section that answers, with the lines of it to show. */
export type FoundSection = {
  path: VaultPath;
  revision: Revision;
  lines: LineRange;
  score: number;
  trail: string;
  isWholeFile: boolean;
  shown: LineRange;
  shownLines: string[];
};

export type SearchOutcome =
  | {
      kind: 'found';
      sections: FoundSection[];
      stages: Stage[];
      /** What could not be done, and how to have it done; empty when all was. */
      degraded: string[];
      /** When index and files were last compared, in milliseconds. */
      indexedThrough: number | null;
      /** Files known to have changed that are not indexed yet. */
      pending: number;
      /** Scopes that no file belongs to. */
      emptyScopes: string[];
    }
  | { kind: 'bad-scope'; pattern: string; reason: string };

export type SearchEngine = {
  /** Over what the view shows; files that a transaction has staged are ranked from memory. */
  search(request: SearchRequest, view: VaultView, staged?: StagedTexts): Promise<SearchOutcome>;
  /** These files changed: they are indexed before the next search. */
  changed(paths: Iterable<VaultPath>): Promise<void>;
};

export const defaultLimit = 10;
export const mostResults = 50;
const defaultContext = 3;
/** Each round indexes anew what turned out to have changed. */
const rounds = 3;

type Parts = { index: SectionIndex; indexer: Indexer; deep: Retrieve; clock: Clock };

export function createSearchEngine({ index, indexer, deep, clock }: Parts): SearchEngine {
  const pending = new Set<VaultPath>();
  const catchUp = async (): Promise<void> => {
    if (indexer.reconciledAt() === null) await indexer.reconcile();
    const paths = [...pending];
    if (paths.length > 0) await indexer.update(paths);
    for (const path of paths) pending.delete(path);
  };

  return {
    async changed(paths) {
      for (const path of paths) pending.add(path);
      // Before the first search nothing is promised: it compares everything anyway.
      if (indexer.reconciledAt() !== null) await catchUp();
    },
    async search(request, view, staged = new Map()) {
      const scopes = parseScopes(request.scopes ?? []);
      if (!scopes.ok) return { kind: 'bad-scope', pattern: scopes.pattern, reason: scopes.reason };
      await catchUp();
      const filter = filterOf(request, scopes.scope, staged);
      const limit = Math.min(request.limit ?? defaultLimit, mostResults);
      const retrieve = request.mode === 'deep' ? deep : lexicalRetrieval(index);
      for (let round = 1; ; round += 1) {
        const { ranked, stages, degraded } = await retrieve(request.queries, filter);
        const own = rankStaged(staged, {
          queries: request.queries,
          isWanted: (path, day) =>
            (scopes.scope?.(path) ?? true) &&
            request.isExcluded?.(path) !== true &&
            // A staged file is written now, so now is its date.
            isInTime({ day, updated: localTime(clock()) }, filter),
          statistics: statisticsOf(index),
        });
        const best = [...ranked, ...own].toSorted((a, b) => b.score - a.score).slice(0, limit);
        const { current, stale } = await compareWithFiles(best, view);
        if (stale.length > 0 && round < rounds) {
          await indexer.lookAgain(stale);
          continue;
        }
        return {
          kind: 'found',
          sections: showSections(current, { limit, context: request.context ?? defaultContext }),
          stages,
          degraded,
          indexedThrough: indexer.reconciledAt(),
          pending: pending.size,
          emptyScopes: scopes.patternsWithout(() =>
            [...index.files().keys(), ...staged.keys()].filter((path) => request.isExcluded?.(path) !== true),
          ),
        };
      }
    },
  };
}

function filterOf(
  { dateFrom, dateTo, isExcluded }: SearchRequest,
  scope: Scope | null,
  staged: StagedTexts,
): Filter {
  const isInScope =
    scope === null && staged.size === 0 && isExcluded === undefined
      ? null
      : (path: VaultPath) =>
          !staged.has(path) && (scope === null || scope(path)) && isExcluded?.(path) !== true;
  return { isInScope, from: dateFrom ?? null, to: dateTo ?? null };
}

type FileNow = { lines: string[]; revision: Revision };
type Current = Ranked<IndexedSection> & { fileLines: string[] };

/** A section is served only if its file is still the one that was indexed. */
async function compareWithFiles(
  ranked: readonly Ranked<IndexedSection>[],
  view: VaultView,
): Promise<{ current: Current[]; stale: VaultPath[] }> {
  const files = new Map<VaultPath, FileNow | null>();
  const current: Current[] = [];
  const stale = new Set<VaultPath>();
  for (const each of ranked) {
    const { path, lines, body, revision } = each.item;
    let file = files.get(path);
    if (file === undefined) files.set(path, (file = await fileAt(view, path)));
    // A damaged index may name other lines than it holds.
    const isSame =
      file?.revision === revision && file.lines.slice(lines.start - 1, lines.end).join('\n') === body;
    if (file && isSame) current.push({ ...each, fileLines: file.lines });
    else stale.add(path);
  }
  return { current, stale: [...stale] };
}

async function fileAt(view: VaultView, path: VaultPath): Promise<FileNow | null> {
  const read = await view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  if (read.kind !== 'file' || decoded?.kind !== 'text') return null;
  return { lines: splitLines(decoded.text), revision: revisionOf(read.bytes) };
}

function showSections(
  current: readonly Current[],
  { limit, context }: { limit: number; context: number },
): FoundSection[] {
  const showable = current.map(({ item, score, lineScores, fileLines }) => ({
    lines: item.lines,
    score,
    lineScores,
    fileLines,
  }));
  const budget = (shownBudget * Math.max(limit, defaultLimit)) / defaultLimit;
  const ranges = chooseLines(showable, { budget, context });
  return current.map(({ item, score, fileLines }, index) => {
    const shown = ranges[index] ?? item.lines;
    return {
      path: item.path,
      revision: item.revision,
      lines: item.lines,
      score,
      trail: item.trail,
      isWholeFile: item.isWholeFile,
      shown,
      shownLines: fileLines.slice(shown.start - 1, shown.end),
    };
  });
}
