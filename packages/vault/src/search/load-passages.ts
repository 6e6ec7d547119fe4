import type { Layout, LineRange, ReplacedEntry, Revision, VaultPath } from '../vault/index.ts';
import type { LoadedFile } from './load-chunks.ts';
import { isBlank } from './paragraph.ts';
import { maxLineCharacters, mergePassages, passageScore } from './passages.ts';
import type {
  PassageLimits,
  PassageRange,
  ScoredLine,
  SelectedPassages,
  SelectPassages,
} from './passages.ts';
import type { Scored } from './score-chunks.ts';
import type { IndexedChunk } from './chunk-index.ts';
import { headingsAtLine } from './chunker.ts';
import { dateFromHeading } from './entry-dates.ts';

/** A passage that matches: lines of a chunk with the surrounding lines of the file. */
export type Passage = {
  path: VaultPath;
  revision: Revision;
  lines: LineRange;
  shownLines: string[];
  /** Whether the passage shows the whole file, apart from its frontmatter. */
  isWholeFile: boolean;
  /** Whether the file has no lines of its own, such as an image or a scan: the only line names it. */
  isNamed: boolean;
  /** If the lines were extracted from a document. For a PDF, with the pages that they are on. */
  extracted: { pages: LineRange | null } | null;
  /** The best matching line. */
  bestLine: number;
  /** The lines that contain a word of the query. */
  matches: number[];
  /** Whether the note contains all words of a query; see `MatchCounts`. */
  hasAllWords: boolean;
  /** The lines of the chunk that the passage comes from. */
  chunkRange: LineRange;
  score: number;
  /** The day that a filter by date compares: of a changelog entry, of the note, or of its last change; null if unknown. */
  day: string | null;
  /** The headings above the best line; for an image, the heading path of the note that links to it. */
  headings: string[];
  /** The day of the event, if a changelog entry states another one than the heading of its day; otherwise null. */
  when: string | null;
  /** The day on which a changelog entry takes effect, if it states one; otherwise null. */
  from: string | null;
  /** Changelog entries within these lines that later entries replace. */
  replaced: ReplacedEntry[];
};

/** The maximum of `limit`; `find --all` shows more. */
export const maxResults = 50;
/**
 * Limits without an explicit `limit`: number of passages, tokens in total, and minimum score relative to the best
 * passage.
 */
const defaultPassageLimits = {
  maxPassages: maxResults,
  minPassages: 3,
  tokenBudget: 2_000,
  maxTokens: 6_000,
  minRelativeScore: 0.25,
};
/** Number of passages with extent `notes`, whatever their size, because a line of each is shown. */
const maxNotes = 10;
/** Maximum number of tokens if the caller passes a `limit`. */
const maxPassageTokens = 15_000;
const defaultContextLines = 3;

/** See `SearchRequest`. */
export type Extent = 'notes' | 'all' | 'paths';

/** How much a search shows; see `SearchRequest`. */
type ResultSize = {
  limit?: number | undefined;
  context?: number | undefined;
  extent?: Extent | undefined;
};

/** The results of one query, or of all queries of a deep search, best first. */
export type RankedList = {
  query: string;
  ranked: Scored<IndexedChunk>[];
  lines: ScoredLine[];
  /** Whether the best result fits; see `fitsQuery`. */
  isFitting: boolean;
};

/** Selects the passages of each query within its share of the limits, and takes them in turn. */
export async function selectFromLists(
  lists: readonly RankedList[],
  select: SelectPassages,
  size: ResultSize,
): Promise<SelectedPassages> {
  const found: SelectedPassages[] = [];
  for (const { ranked, lines } of lists)
    found.push(await select(lines, computeLimits(ranked, size, lists.length)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  let passages: PassageRange[] = [];
  const longest = Math.max(0, ...found.map((each) => each.passages.length));
  for (let place = 0; place < longest; place += 1)
    for (const each of found) {
      const passage = each.passages[place];
      if (passage !== undefined && !(size.extent === 'notes' && isShown(passages, passage.item.path)))
        passages = addPassage(passages, passage);
    }
  return {
    passages: passages.slice(0, size.limit),
    count: found.reduce((sum, { count }) => sum + count, 0),
    stale: [...new Set(found.flatMap(({ stale }) => stale))],
  };
}

function isShown(passages: readonly PassageRange[], path: VaultPath): boolean {
  return passages.some(({ item }) => item.path === path);
}

/** Adds a passage; if it overlaps earlier ones, to the first of them. */
function addPassage(passages: readonly PassageRange[], added: PassageRange): PassageRange[] {
  const overlapping = passages.filter(
    ({ item, shown }) => item.path === added.item.path && overlaps(shown, added.shown),
  );
  const [first, ...others] = overlapping;
  if (first === undefined) return [...passages, added];
  const merged = overlapping.reduce(mergePassages, added);
  return passages.flatMap((each) => (each === first ? [merged] : others.includes(each) ? [] : [each]));
}

function overlaps(a: LineRange, b: LineRange): boolean {
  return a.start <= b.end && b.start <= a.end;
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

/** The limits for one of several queries, which share them equally. */
function computeLimits(
  ranked: readonly Scored<IndexedChunk>[],
  { limit, context = defaultContextLines, extent }: ResultSize,
  shares: number,
): PassageLimits {
  if (extent === 'all')
    return {
      tokenBudget: Infinity,
      maxTokens: Infinity,
      maxPassages: Infinity,
      minPassages: 0,
      minRelativeScore: 0,
      noise: 0,
      context,
      onePerNote: false,
    };
  const onePerNote = extent === 'notes';
  const tokens = onePerNote ? Infinity : maxPassageTokens / shares;
  if (limit !== undefined)
    return {
      tokenBudget: tokens,
      maxTokens: tokens,
      maxPassages: Math.ceil(limit / shares),
      minPassages: 0,
      minRelativeScore: 0,
      noise: 0,
      context,
      onePerNote,
    };
  const { tokenBudget, maxTokens, minPassages, maxPassages, minRelativeScore } = defaultPassageLimits;
  return {
    tokenBudget: onePerNote ? Infinity : tokenBudget / shares,
    maxTokens: maxTokens / shares,
    maxPassages: Math.ceil((onePerNote ? maxNotes : maxPassages) / shares),
    minPassages: Math.ceil(minPassages / shares),
    minRelativeScore,
    noise: noiseIn(ranked),
    context,
    onePerNote,
  };
}

/** Whether a result of this size shows a line that another one does not; with extent `notes`, a note. */
export async function showsMore(
  lists: readonly RankedList[],
  select: SelectPassages,
  size: ResultSize,
  than: SelectedPassages,
): Promise<boolean> {
  const isNew = (path: VaultPath, line: number): boolean =>
    size.extent === 'notes'
      ? !isShown(than.passages, path)
      : !than.passages.some(
          ({ item, shown }) => item.path === path && line >= shown.start && line <= shown.end,
        );
  const [only] = lists;
  if (only !== undefined && lists.length === 1) {
    let isFound = false;
    const limits = computeLimits(only.ranked, size, 1);
    await select(only.lines, limits, (path, line) => (isFound = isNew(path, line)));
    return isFound;
  }
  const { passages } = await selectFromLists(lists, select, size);
  return passages.some(({ item, shown }) => {
    for (let line = shown.start; line <= shown.end; line += 1) if (isNew(item.path, line)) return true;
    return false;
  });
}

export function toPassage(
  { item, file, shown, best, score }: PassageRange,
  {
    matches,
    hasAllWords,
    layout,
    updated,
  }: { matches: number[]; hasAllWords: boolean; layout: Layout; updated: string | null },
): Omit<Passage, 'replaced'> {
  const [date = '', from = null] = item.date.split(' ');
  return {
    path: item.path,
    revision: item.revision,
    lines: shown,
    shownLines: file.lines.slice(shown.start - 1, shown.end),
    isWholeFile: coversFile(shown, file),
    isNamed: file.isNamed,
    extracted: file.extracted && { pages: file.extracted.pagesOf(shown) },
    bestLine: best,
    matches,
    hasAllWords,
    chunkRange: item.lines,
    score,
    when:
      date === '' || !layout.isChangelog(item.path) || date === dateFromHeading(item.headings) ? null : date,
    from,
    day: (date || updated)?.slice(0, 10) ?? null,
    headings:
      typeof item.kind === 'object'
        ? [item.headingPath]
        : headingsAtLine(item, best, file).map(({ text }) => text),
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
