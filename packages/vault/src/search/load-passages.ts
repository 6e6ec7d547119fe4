import { lastSegment } from '../contract/index.ts';
import { fileKindOf } from '../vault/index.ts';
import type { Layout, LineRange, ReplacedEntry, Revision, VaultPath } from '../vault/index.ts';
import type { LoadedFile, LoadedChunk, LoadChunks } from './load-chunks.ts';
import { isBlank } from './paragraph.ts';
import { maxLineCharacters, passageScore, selectPassages } from './passages.ts';
import type { PassageLimits, PassageRange, PassageCandidate } from './passages.ts';
import type { Scored } from './score-chunks.ts';
import type { IndexedChunk } from './chunk-index.ts';
import { headingsAtLine, headingPathOf } from './chunker.ts';
import { dateFromHeading } from './entry-dates.ts';

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

/** How much a search shows; see `SearchRequest`. */
type ResultSize = { limit?: number | undefined; contextLines?: number | undefined };

/** The results of one query, or of all queries of a deep search, best first. */
export type RankedList = { query: string; ranked: Scored<IndexedChunk>[] };

/** Best score of a query about a subject that the vault does not have; few queries that it can answer score less. */
const minFittingScore = 0.25;

/** Separates the queries for which nothing fits well, unless that is true of all of them. */
export function dropUnfit(lists: readonly RankedList[]): { fitting: RankedList[]; unfit: string[] } {
  const fitting = lists.filter(({ ranked }) => bestPassageScore(ranked[0]) >= minFittingScore);
  return fitting.length === 0
    ? { fitting: [...lists], unfit: [] }
    : {
        fitting,
        unfit: lists.filter((list) => !fitting.includes(list)).map(({ query }) => query),
      };
}

type LoadedPassages = { passages: PassageWithoutReplaced[]; stale: VaultPath[] };

/** Shares the budget between the queries and takes their passages in turn. */
export async function loadFromLists(
  lists: readonly RankedList[],
  loadChunks: LoadChunks,
  request: ResultSize,
  layout: Layout,
): Promise<LoadedPassages> {
  const found: LoadedPassages[] = [];
  for (const { ranked } of lists)
    found.push(await loadPassages(ranked, loadChunks, { request, layout, shares: lists.length }));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const passages: PassageWithoutReplaced[] = [];
  const longest = Math.max(0, ...found.map((each) => each.passages.length));
  for (let place = 0; place < longest; place += 1)
    for (const each of found) {
      const passage = each.passages[place];
      if (passage !== undefined && !passages.some((other) => overlaps(other, passage)))
        passages.push(passage);
    }
  return {
    passages: request.limit === undefined ? passages : passages.slice(0, request.limit),
    stale: [...new Set(found.flatMap(({ stale }) => stale))],
  };
}

function overlaps(one: PassageWithoutReplaced, other: PassageWithoutReplaced): boolean {
  return one.path === other.path && one.lines.start <= other.lines.end && other.lines.start <= one.lines.end;
}

/** Number of chunks loaded at a time; most searches need one batch. */
const loadBatchSize = 10;

/** Loads chunks and their files until the passage limits are reached or a batch adds nothing. */
async function loadPassages(
  ranked: readonly Scored<IndexedChunk>[],
  loadChunks: LoadChunks,
  {
    request: { limit, contextLines = defaultContextLines },
    layout,
    shares,
  }: { request: ResultSize; layout: Layout; shares: number },
): Promise<LoadedPassages> {
  const bounds = {
    ...shareLimits(passageLimits(limit, contextLines), shares),
    ...(limit === undefined && { noise: noiseIn(ranked) }),
  };
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

/** The results from this place on are probably noise. */
const noiseRank = 16;
/** If even the best score is below this, all are alike and no noise can be told apart. */
const minBestScore = 0.35;

/** The score of the best line of the 16th result; 0 if there are fewer results or all are poor. */
function noiseIn(ranked: readonly Scored<IndexedChunk>[]): number {
  const [best, sixteenth] = [ranked[0], ranked[noiseRank - 1]];
  return best === undefined || best.score < minBestScore ? 0 : bestPassageScore(sixteenth);
}

/** The score of the best passage of a chunk; 0 if there is none. */
function bestPassageScore(scored: Scored<IndexedChunk> | undefined): number {
  if (scored === undefined) return 0;
  const line = scored.lineScores.reduce((most, { withNeighbors }) => Math.max(most, withNeighbors), 0);
  return passageScore(scored.score, line);
}

type PassageWithoutReplaced = Omit<Passage, 'replaced'>;

/** Counts an image once, even if several chunks describe it. */
export function countNotShown(
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

/** An equal share of the limits for each of several queries. */
function shareLimits(limits: PassageLimits, shares: number): PassageLimits {
  const { tokenBudget, maxTokens, minPassages, maxPassages } = limits;
  return {
    ...limits,
    tokenBudget: tokenBudget / shares,
    maxTokens: maxTokens / shares,
    minPassages: Math.ceil(minPassages / shares),
    maxPassages: Math.ceil(maxPassages / shares),
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
    when:
      date === '' || !layout.isChangelog(item.path) || date === dateFromHeading(item.headings) ? null : date,
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
