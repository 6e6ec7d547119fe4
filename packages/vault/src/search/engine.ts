import { describeError, lastPart, localTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { createReplacedFinder, isOfTheDisk, kindOf } from '../vault/index.ts';
import type { Layout, LineRange, ReplacedEntry, Revision, VaultPath, VaultView } from '../vault/index.ts';
import { currentSections } from './current-sections.ts';
import type { CurrentFile, CurrentSection, LookAt } from './current-sections.ts';
import { isInTime } from './in-time.ts';
import type { Indexer } from './indexer.ts';
import { isBlank } from './paragraph.ts';
import { choosePassages, longestLine } from './passages.ts';
import type { Bounds, Passage, Showable } from './passages.ts';
import type { Ranked } from './rank.ts';
import { lexicalRetrieval, statisticsOf } from './retrieve.ts';
import type { Retrieve, Stage } from './retrieve.ts';
import { parseScopes } from './scopes.ts';
import type { Scope } from './scopes.ts';
import type { Filter, IndexedSection, SectionIndex } from './section-index.ts';
import { headingsAt, trailOf } from './sections.ts';
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
  /** The entries of a changelog among these lines that later ones replace. */
  replaced: ReplacedEntry[];
};

export type SearchOutcome =
  | {
      kind: 'found';
      passages: FoundPassage[];
      /** All sections of text that fit, best first; the passages are of some of them. */
      ranked: { path: VaultPath; lines: LineRange }[];
      /** How many sections and images fit and are not shown, and with which limit more of them would be. */
      more: { count: number; limit: number | null };
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
const usual = { most: 20, atLeast: 3, budget: 2_000, ceiling: 6_000, worthShowing: 0.25 };
/** In tokens: what results may cost together that were asked for. */
const largestCeiling = 15_000;
/** Of the budget: what is left below this is not worth reading further files for. */
const roomWorthFilling = 0.1;
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

  /** What is indexed can still be searched where nothing can be written; what is said is what was not done. */
  const asFarAsPossible = async (work: () => Promise<unknown>, problems: Set<string>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!isOfTheDisk(error)) throw error;
      problems.add(`the index is not up to date (${describeError(error)}); see: keepsake doctor`);
    }
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
      const problems = new Set<string>();
      await asFarAsPossible(catchUp, problems);
      const filter = filterOf(request, scopes.scope, staged);
      const isWanted = (path: VaultPath): boolean =>
        (scopes.scope?.(path) ?? true) && request.isExcluded?.(path) !== true;
      const allFiles = function* (): Generator<VaultPath> {
        for (const path of index.files().keys()) if (request.isExcluded?.(path) !== true) yield path;
        for (const path of staged.keys()) if (request.isExcluded?.(path) !== true) yield path;
      };
      const layout = view.layout();
      const retrieve = request.mode === 'deep' ? deep : lexicalRetrieval(index);
      for (let round = 1; ; round += 1) {
        const { ranked, stages, degraded } = await retrieve(request.queries, filter);
        const own = rankStaged(staged, {
          queries: request.queries,
          // A staged file is written now, so now is its date.
          isWanted: (path, day) => isWanted(path) && isInTime({ day, updated: localTime(clock()) }, filter),
          statistics: statisticsOf(index),
          layout,
        });
        const best = [...ranked, ...own].toSorted((a, b) => b.score - a.score);
        const lookAt = currentSections(view, { paths: allFiles, isWanted });
        const { passages, stale } = await showPassages(best, lookAt, request, layout);
        // What differs still at the end is left out; the rest is shown.
        if (stale.length > 0 && round < rounds) {
          await asFarAsPossible(() => indexer.lookAgain(stale), problems);
          continue;
        }
        const replaced = createReplacedFinder(view, replacingFiles(index, staged));
        return {
          kind: 'found',
          passages: await Promise.all(
            passages.map(async (each) => ({ ...each, replaced: await replaced(each.path, each.lines) })),
          ),
          ranked: best.flatMap(({ item: { kind, path, lines } }) =>
            kind === 'text' ? [{ path, lines }] : [],
          ),
          more: notShown(best, passages, request.limit),
          stages,
          degraded: [...problems, ...degraded],
          indexedThrough: indexer.reconciledAt(),
          pending: pending.size,
          emptyScopes: scopes.patternsWithout(allFiles),
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

/** So many sections are looked at together; most searches need no more. */
const step = 10;

/** Looks at sections, and reads their files, as long as there is room for what they may have to show. */
async function showPassages(
  ranked: readonly Ranked<IndexedSection>[],
  lookAt: LookAt,
  { limit, context = defaultContext }: SearchRequest,
  layout: Layout,
): Promise<{ passages: Described[]; stale: VaultPath[] }> {
  const bounds = boundsFor(limit, context);
  const current: CurrentSection[] = [];
  const stale: VaultPath[] = [];
  let chosen: ReturnType<typeof choosePassages> = { passages: [], left: bounds.budget };
  for (let start = 0; start < ranked.length; start += step) {
    const looked = await lookAt(ranked.slice(start, start + step));
    current.push(...looked.current);
    stale.push(...looked.stale);
    const before = chosen;
    chosen = choosePassages(current.map(showable), bounds);
    const isFull = chosen.passages.length >= bounds.atLeast && chosen.left < bounds.budget * roomWorthFilling;
    const isIdle = start > 0 && chosen.left === before.left && chosen.passages.length >= usual.atLeast;
    if (isFull || isIdle) break;
  }
  return { passages: chosen.passages.map((each) => describe(each, current, layout)), stale };
}

type Described = Omit<FoundPassage, 'replaced'>;

/** As the index has it, and whatever is staged. */
function replacingFiles(index: SectionIndex, staged: StagedTexts) {
  return async (path: VaultPath): Promise<Set<VaultPath>> =>
    new Set([...index.replacing(path), ...staged.keys()]);
}

/** Several sections may stand for one image. */
function notShown(
  ranked: readonly Ranked<IndexedSection>[],
  passages: readonly Described[],
  limit: number | undefined,
): { count: number; limit: number | null } {
  const found = ranked.map(({ item: { kind, path, lines } }) =>
    typeof kind === 'object' ? lastPart(kind.target) : `${path}:${lines.start}`,
  );
  const shown = passages.map(({ path, section }) =>
    kindOf(path) === 'image' ? lastPart(path) : `${path}:${section.start}`,
  );
  const count = new Set(found).size - new Set(shown).size;
  const next = Math.min(mostResults, Math.max(limit ?? 0, passages.length) + 10);
  return { count: Math.max(0, count), limit: next > (limit ?? 0) ? next : null };
}

function boundsFor(limit: number | undefined, context: number): Bounds {
  if (limit === undefined) return { ...usual, context };
  const most = Math.min(limit, mostResults);
  return { ...usual, most, atLeast: most, ceiling: largestCeiling, worthShowing: 0, context };
}

function showable({ item: { path, lines }, score, lineScores, file }: CurrentSection): Showable {
  return { path, lines, score, lineScores, fileLines: file.lines, bodyStart: file.bodyStart };
}

function describe(
  { section, shown, best, score }: Passage,
  current: readonly CurrentSection[],
  layout: Layout,
): Described {
  const { item, file } = current[section] as CurrentSection;
  return {
    path: item.path,
    revision: item.revision,
    lines: shown,
    shownLines: file.lines.slice(shown.start - 1, shown.end),
    totalLines: file.lines.length,
    isWholeFile: isAll(shown, file),
    best,
    section: item.lines,
    score,
    // That of an image is the one of the note that shows it.
    trail:
      typeof item.kind === 'object' ? item.trail : trailOf(item.path, headingsAt(item, best, file), layout),
  };
}

/** All of the text is shown, and no line of it is cut; the frontmatter is shown whole or not at all. */
function isAll({ start, end }: LineRange, { lines, bodyStart }: CurrentFile): boolean {
  return (
    (start === 1 || start >= bodyStart) &&
    lines.slice(bodyStart - 1, start - 1).every(isBlank) &&
    lines.slice(end).every(isBlank) &&
    lines.slice(start - 1, end).every((line) => line.length <= longestLine)
  );
}
