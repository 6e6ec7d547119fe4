import { z } from 'zod';
import { formatLocalTime, searchOutput } from '../contract/index.ts';
import type { api } from '../contract/index.ts';
import { validateScopes, maxLineCharacters, maxResults } from '../search/index.ts';
import type { Passage, SearchOutcome } from '../search/index.ts';
import {
  renderBlock,
  escapeInvisible,
  joinBlocks,
  formatNumberedLines,
  formatInput,
  formatPath,
  pluralize,
} from '../vault/index.ts';
import { defineReadTool } from './define-tool.ts';
import type { ToolResult } from './define-tool.ts';
import { formatReplacedNote, toReplacedValue } from './format-replaced.ts';
import type { ShownLines } from './shown-lines.ts';

type SearchValue = z.infer<typeof searchOutput>;
type Section = SearchValue['sections'][number];

const input = z.strictObject({
  queries: z
    .array(z.string())
    .min(1, { error: 'is empty; pass at least one query' })
    .max(20, { error: 'has more than 20 queries; pass fewer' })
    .describe('Questions or keywords. "exact phrase", -without, prefix*, tag:x, path:x, [property: value]'),
  mode: z
    .enum(['fast', 'deep'])
    .nullish()
    .describe(
      'fast (default): by words. deep: also by meaning, if fast finds nothing; needs an embedding model',
    ),
  scopes: z
    .array(z.string())
    .nullish()
    .superRefine((scopes, context) => {
      const problem = validateScopes(scopes ?? []);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .describe(
      'Limit the search to paths matching these patterns, e.g. projects/*/state.md or projects/startup-x/. Default: everything',
    ),
  limit: z
    .int()
    .min(1)
    .max(maxResults)
    .nullish()
    .describe('Maximum number of results. Default: the relevant ones, about 2,000 tokens'),
});

/** For models of a vault without search by meaning. */
export const inputWithoutMode = input.omit({ mode: true });

export const searchTool = defineReadTool({
  name: 'search',
  title: 'Search the vault',
  description: [
    'Find passages in the vault. Each result has its path, line range, score, and three lines of context above and below. You',
    'can cite or edit these lines without reading the file. Prefer several short queries to one long query. Example:',
    '{"queries": ["abandon external API"], "scopes": ["projects/startup-x/"]}',
  ].join(' '),
  input,
  output: searchOutput,
  async run({ queries, mode, scopes, limit }, run) {
    const outcome = await run.search({
      queries,
      mode: mode ?? 'fast',
      scopes: scopes ?? undefined,
      limit: limit ?? undefined,
    });
    if (outcome.kind === 'found')
      for (const passage of outcome.passages) recordShownPassage(run.shownLines, passage);
    return formatSearchResult(outcome);
  },
});

/** Records the lines of a passage as shown, except truncated lines. */
function recordShownPassage(
  shown: ShownLines,
  { path, revision, lines, shownLines, isNamed }: Passage,
): void {
  if (isNamed) return;
  let first = 0;
  for (let at = 0; at <= shownLines.length; at += 1) {
    if (at < shownLines.length && (shownLines[at] ?? '').length <= maxLineCharacters) continue;
    if (at > first) shown.add(path, revision, lines.start + first, shownLines.slice(first, at));
    first = at + 1;
  }
}

/** Formats search results for a model: a block per passage, then notes about the search. */
export function formatSearchResult(outcome: SearchOutcome): ToolResult<SearchValue> {
  if (outcome.kind === 'bad-scope')
    throw new Error(`scope ${outcome.pattern} was not checked: ${outcome.reason}`);
  const value = toSearchValue(outcome);
  return { text: renderSearch(value, formatMore(value)), images: [], value };
}

type Found = Extract<SearchOutcome, { kind: 'found' }>;

/** The result for a user, as data. */
export function toSearchResponse(outcome: Found): z.infer<typeof api.searchResponse> {
  const { passages, paths } = outcome;
  return {
    ...toSearchValue(outcome),
    sections: passages.map((passage) => ({
      ...toSection(passage),
      day: passage.day,
      hasAllWords: passage.hasAllWords,
    })),
    ...(paths.length > 0 && { paths: paths.map(formatPath) }),
  };
}

/** The result as data, which contains all that its text says. */
function toSearchValue(outcome: Found): SearchValue {
  const { passages, fits, matched, shown, nextLimit, stages, warnings } = outcome;
  const { indexedAt, pendingFiles, waitingDocuments } = outcome;
  return {
    sections: passages.map(toSection),
    fits,
    matched,
    shown,
    nextLimit,
    unmetFilters: outcome.unmetFilters,
    notes: formatNotes(outcome),
    stages,
    degraded: warnings,
    indexedThrough: indexedAt === null ? null : formatLocalTime(indexedAt),
    pending: pendingFiles + waitingDocuments,
    unreadDocuments: waitingDocuments,
    errors: [],
  };
}

function toSection(passage: Passage): Section {
  return {
    path: formatPath(passage.path),
    revision: passage.revision,
    lines: passage.lines,
    best: passage.bestLine,
    matches: passage.matches,
    section: passage.chunkRange,
    score: Math.round(passage.score * 1000) / 1000,
    heading: passage.headings.join(' › '),
    wholeFile: passage.isWholeFile,
    text: formatPassage(passage),
    ...(passage.extracted !== null && { extracted: passage.extracted }),
    ...(passage.when !== null && { when: passage.when }),
    ...(passage.from !== null && { from: passage.from }),
    ...toReplacedValue(passage.replaced),
  };
}

function formatNotes(outcome: Found): string[] {
  const { passages, paths, inOverview, unfitQueries, unknownWords, unmetFilters, unmatchedScopes } = outcome;
  const { warnings, pendingFiles } = outcome;
  return [
    ...(passages.length === 0 && paths.length === 0 ? ['no results; try other words or fewer scopes'] : []),
    ...(inOverview === null ? [] : [`see also ${formatPath(inOverview.path)}:${inOverview.line}`]),
    ...unfitQueries.map((query) => `nothing fits ${formatInput(query)} well`),
    ...unknownWords.map((word) => `no note contains ${formatInput(word)}`),
    ...unmetFilters.map((filter) => `no note fits ${formatInput(filter)}; its words are searched`),
    ...unmatchedScopes.map(formatUnmatchedScope),
    ...warnings,
    ...(pendingFiles > 0
      ? [
          `${pluralize(pendingFiles, 'changed file')} still being indexed; search again later to find their text`,
        ]
      : []),
  ];
}

function formatUnmatchedScope({ pattern, suggestion }: Found['unmatchedScopes'][number]): string {
  const isLeftOut = /^(?:vault\/)?(?:inbox|overview\.md|profile\.md|tree\.md)\b/.test(pattern);
  const hint = suggestion === null ? '' : `; did you mean ${formatInput(suggestion)}?`;
  return `no files match scope ${formatInput(pattern)}${isLeftOut ? ' (not indexed; use read)' : hint}`;
}

/** What is not shown, and how a caller of the tool can see it; null if everything is shown. */
function formatMore({ matched, shown, nextLimit }: SearchValue): string | null {
  const isCut = shown.notes < matched.notes || shown.lines < matched.lines;
  const counts = isCut
    ? `shown: ${shown.notes} of ${pluralize(matched.notes, 'matching note')}, ${shown.lines} of ${pluralize(matched.lines, 'line')}`
    : 'there are more results with lower scores';
  if (nextLimit !== null) return `${counts}; search again with limit ${nextLimit} to see more`;
  return isCut ? `${counts}; narrow the scopes or add words to see others` : null;
}

/** Renders a search result for a model: a block per passage, then the notes. */
function renderSearch({ sections, fits, notes }: SearchValue, more: string | null): string {
  const blocks = sections.map((section) =>
    [
      ...(section.replaced ?? []).map((each) => `note: ${formatReplacedNote(section.path, each)}`),
      renderBlock(formatHeader(section), section.text),
    ].join('\n\n'),
  );
  const lines = [...notes, ...(more === null ? [] : [more])].map((note) => `note: ${note}`);
  const nothingFits =
    fits || sections.length === 0 ? [] : ['note: nothing fits; the nearest passages follow'];
  return joinBlocks([...nothingFits, ...blocks, ...(lines.length > 0 ? [lines.join('\n')] : [])]);
}

function formatHeader({
  path,
  lines,
  wholeFile,
  extracted,
  score,
  heading,
  text,
  when,
  from,
}: Section): string {
  // A file without lines of its own, such as an image, is only named.
  const isNamed = !/^\d+ *\|/.test(text);
  const range = `lines ${lines.start}-${lines.end}`;
  const details = [
    range,
    ...(wholeFile ? ['the whole file'] : []),
    ...(extracted === undefined ? [] : ['extracted text']),
  ];
  return [
    isNamed ? path : `${path} (${details.join(', ')})`,
    score.toFixed(2),
    ...hiddenHeadings(heading, text),
    ...(when === undefined ? [] : [`when ${when}`]),
    ...(from === undefined ? [] : [`from ${from}`]),
  ].join(' · ');
}

/** The headings of a passage that its text does not show. */
function hiddenHeadings(heading: string, text: string): string[] {
  const shown = new Set(text.split('\n').map((line) => line.replace(/^\d+ *\| #* */, '').trim()));
  const hidden = heading.split(' › ').filter((each) => each !== '' && !shown.has(each));
  return hidden.length === 0 ? [] : [escapeInvisible(hidden.join(' › '))];
}

function formatPassage({ lines, shownLines, isNamed }: Passage): string {
  if (isNamed) return shownLines.join('\n');
  const short = shownLines.map((line) =>
    line.length <= maxLineCharacters
      ? line
      : `${line.slice(0, maxLineCharacters)} … (${line.length - maxLineCharacters} more characters)`,
  );
  return formatNumberedLines(short, lines.start);
}
