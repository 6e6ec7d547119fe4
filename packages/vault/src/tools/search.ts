import { z } from 'zod';
import { formatLocalTime, searchOutput } from '../contract/index.ts';
import { validateScopes, maxLineCharacters, maxResults } from '../search/index.ts';
import type { Passage, SearchOutcome } from '../search/index.ts';
import {
  renderBlock,
  escapeInvisible,
  joinBlocks,
  fileKindOf,
  formatNumberedLines,
  formatInput,
  formatPath,
  pluralize,
} from '../vault/index.ts';
import { defineReadTool } from './define-tool.ts';
import type { ToolResult } from './define-tool.ts';
import { toReplacedValue, prependReplacedNotes } from './format-replaced.ts';
import type { ShownLines } from './shown-lines.ts';

type SearchValue = z.infer<typeof searchOutput>;

const input = z.strictObject({
  queries: z
    .array(z.string())
    .min(1, { error: 'is empty; pass at least one query' })
    .max(20, { error: 'has more than 20 queries; pass fewer' })
    .describe(
      'Questions or keywords. "exact phrase" must occur, -word must not occur, prefix* matches any word with that prefix',
    ),
  mode: z
    .enum(['fast', 'deep'])
    .nullish()
    .describe('fast (default): keyword search. deep: also semantic search, if an embedding model is set up'),
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

export const searchTool = defineReadTool({
  name: 'search',
  title: 'Search the vault',
  description: [
    'Find passages in the vault. Each result has its path, line range, score, and three lines of context above and below. You',
    'can cite or edit these lines without reading the file. Start with mode fast, and prefer several short queries to one long',
    'query. Example:',
    '{"queries": ["abandon external API"], "mode": "fast", "scopes": ["projects/startup-x/"]}',
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
function recordShownPassage(shown: ShownLines, { path, revision, lines, shownLines }: Passage): void {
  // Lines of other files can be cited and edited; the text of a document is only in the index.
  if (fileKindOf(path) !== 'markdown') return;
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
  const {
    passages,
    notShown,
    stages,
    warnings,
    indexedAt,
    pendingFiles,
    waitingDocuments,
    unmatchedScopes,
    unfitQueries,
    inOverview,
  } = outcome;
  const notes = [
    ...(passages.length === 0 ? ['no results; try other words or fewer scopes'] : []),
    ...(inOverview === null ? [] : [`see also ${formatPath(inOverview.path)}:${inOverview.line}`]),
    ...unfitQueries.map((query) => `nothing fits ${formatInput(query)} well`),
    ...unmatchedScopes.map((scope) => {
      const isLeftOut = /^(?:vault\/)?(?:inbox|overview\.md|profile\.md|tree\.md)\b/.test(scope);
      return `no files match scope ${formatInput(scope)}${isLeftOut ? ' (not indexed; use read)' : ''}`;
    }),
    ...warnings,
    ...(pendingFiles > 0
      ? [
          `${pluralize(pendingFiles, 'changed file')} still being indexed; search again later to find their text`,
        ]
      : []),
    ...(waitingDocuments > 0
      ? [`the text of ${pluralize(waitingDocuments, 'document')} is not indexed yet; keepsake index does it`]
      : []),
    ...formatMore(notShown),
  ];
  const blocks = passages.map((passage) =>
    prependReplacedNotes(
      renderBlock(formatHeader(passage), formatPassage(passage)),
      passage.path,
      passage.replaced,
    ),
  );
  return {
    text: joinBlocks([
      ...blocks,
      ...(notes.length > 0 ? [notes.map((note) => `note: ${note}`).join('\n')] : []),
    ]),
    images: [],
    value: {
      sections: passages.map((passage) => ({
        path: formatPath(passage.path),
        revision: passage.revision,
        lines: passage.lines,
        best: passage.bestLine,
        section: passage.chunkRange,
        score: round(passage.score),
        heading: passage.headingPath,
        wholeFile: passage.isWholeFile,
        text: formatPassage(passage),
        ...(passage.when !== null && { when: passage.when }),
        ...(passage.from !== null && { from: passage.from }),
        ...toReplacedValue(passage.replaced),
      })),
      found: passages.length + notShown.count,
      stages,
      degraded: warnings,
      indexedThrough: indexedAt === null ? null : formatLocalTime(indexedAt),
      pending: pendingFiles + waitingDocuments,
      errors: [],
    },
  };
}

function formatMore({ count, limit }: Extract<SearchOutcome, { kind: 'found' }>['notShown']): string[] {
  if (count === 0) return [];
  const note = count === 1 ? '1 more result with a lower score' : `${count} more results with lower scores`;
  return [limit === null ? note : `${note}; search again with limit ${limit} to see more`];
}

function formatHeader(passage: Passage): string {
  const { path, lines, totalLines, isWholeFile, score, headingPath, when, from } = passage;
  const range = ` (lines ${lines.start}-${lines.end}${isWholeFile ? ', the whole file' : ` of ${totalLines}`})`;
  const kind = fileKindOf(path);
  const shown = kind === 'image' ? '' : kind === 'other' ? `${range.slice(0, -1)}, extracted text)` : range;
  const dates = `${when === null ? '' : ` · when ${when}`}${from === null ? '' : ` · from ${from}`}`;
  return `${formatPath(path)}${shown} · ${score.toFixed(2)} · ${escapeInvisible(headingPath)}${dates}`;
}

function formatPassage({ path, lines, shownLines }: Passage): string {
  if (fileKindOf(path) === 'image') return shownLines.join('\n');
  const short = shownLines.map((line) =>
    line.length <= maxLineCharacters
      ? line
      : `${line.slice(0, maxLineCharacters)} … (${line.length - maxLineCharacters} more characters)`,
  );
  return formatNumberedLines(short, lines.start);
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
