import { localTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { decodeText, revisionOf, splitLines } from '../vault/index.ts';
import type { LineRange, Revision, VaultPath, VaultView } from '../vault/index.ts';
import { isInTime } from './in-time.ts';
import type { Indexer } from './indexer.ts';
import { choosePassages } from './passages.ts';
import type { Ranked } from './rank.ts';
import { lexicalRetrieval, statisticsOf } from './retrieve.ts';
import type { Retrieve, Stage } from './retrieve.ts';
import { parseScopes } from './scopes.ts';
import type { Scope } from './scopes.ts';
import type { Filter, IndexedSection, SectionIndex } from './section-index.ts';
import { frontmatterLines, headingsAt, trailOf } from './sections.ts';
import { rankStaged } from './staged-sections.ts';
import type { StagedTexts } from './staged-sections.ts';

export type SearchRequest = {
  queries: readonly string[];
  mode: 'fast' | 'deep';
  /** Path patterns; none for everything. */
  scopes?: readonly string[] | undefined;
  /** How many passages at most; without it as many as fit well, within the budget. */
  limit?: number | undefined;
  /** Lines above and below what was found. */
  context?: number | undefined;
  /** `2025-07-14`: only sections of that day or later. Not offered to agents. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  /** Files that whoever asks must not see. */
  isExcluded?: Scope | undefined;
};

/** A passage that answers: lines of a section, with the lines of the file around them. */
export type FoundPassage = {
  path: VaultPath;
  revision: Revision;
  lines: LineRange;
  shownLines: string[];
  totalLines: number;
  /** Whether nothing of the file but its frontmatter is left out. */
  isWholeFile: boolean;
  /** The line that fits best. */
  best: number;
  /** The lines of the section it is taken from. */
  section: LineRange;
  score: number;
  /** Project, file and the headings above the best line. */
  trail: string;
};

export type SearchOutcome =
  | {
      kind: 'found';
      passages: FoundPassage[];
      /** All sections that fit, best first; the passages are of some of them. */
      ranked: { path: VaultPath; lines: LineRange }[];
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

export const mostResults = 50;
/** Where nobody says how many: in number, in tokens of all together, and by their share of the best one's score. */
const usual = { results: 20, budget: 2_000, worthShowing: 0.25 };
/** In tokens: what one result costs that was asked for. */
const budgetPerResult = 200;
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
        const best = [...ranked, ...own].toSorted((a, b) => b.score - a.score);
        const { current, stale } = await compareWithFiles(best.slice(0, mostResults), view);
        if (stale.length > 0 && round < rounds) {
          await indexer.lookAgain(stale);
          continue;
        }
        return {
          kind: 'found',
          passages: showPassages(current, request),
          ranked: best.map(({ item: { path, lines } }) => ({ path, lines })),
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

type FileNow = { lines: string[]; bodyStart: number; revision: Revision };
type Current = Ranked<IndexedSection> & { fileLines: string[]; bodyStart: number };

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
    if (file && isSame) current.push({ ...each, fileLines: file.lines, bodyStart: file.bodyStart });
    else stale.add(path);
  }
  return { current, stale: [...stale] };
}

async function fileAt(view: VaultView, path: VaultPath): Promise<FileNow | null> {
  const read = await view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  if (read.kind !== 'file' || decoded?.kind !== 'text') return null;
  const { text } = decoded;
  return { lines: splitLines(text), bodyStart: frontmatterLines(text) + 1, revision: revisionOf(read.bytes) };
}

function showPassages(current: readonly Current[], { limit, context }: SearchRequest): FoundPassage[] {
  const showable = current.map(({ item: { path, lines }, score, lineScores, fileLines, bodyStart }) => ({
    path,
    lines,
    score,
    lineScores,
    fileLines,
    bodyStart,
  }));
  const passages = choosePassages(showable, {
    budget: Math.max(usual.budget, budgetPerResult * (limit ?? 0)),
    context: context ?? defaultContext,
    most: Math.min(limit ?? usual.results, mostResults),
    worthShowing: limit === undefined ? usual.worthShowing : 0,
  });
  return passages.map(({ section, shown, best, score }) => {
    const { item, fileLines, bodyStart } = current[section] as Current;
    return {
      path: item.path,
      revision: item.revision,
      lines: shown,
      shownLines: fileLines.slice(shown.start - 1, shown.end),
      totalLines: fileLines.length,
      isWholeFile: isAll(shown, fileLines, bodyStart),
      best,
      section: item.lines,
      score,
      trail: trailOf(item.path, headingsAt(item, best, fileLines)),
    };
  });
}

function isAll({ start, end }: LineRange, fileLines: readonly string[], bodyStart: number): boolean {
  const isBlank = (line: string): boolean => line.trim() === '';
  return fileLines.slice(bodyStart - 1, start - 1).every(isBlank) && fileLines.slice(end).every(isBlank);
}
