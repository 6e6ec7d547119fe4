import { z } from 'zod';
import { localTime, searchValue } from '../contract/index.ts';
import { checkScopes, longestLine, mostResults } from '../search/index.ts';
import type { FoundPassage, SearchOutcome } from '../search/index.ts';
import {
  block,
  escapeInvisible,
  joinBlocks,
  kindOf,
  numberedLines,
  showInput,
  showPath,
} from '../vault/index.ts';
import { defineReadTool } from './define-tool.ts';
import type { ToolResult } from './define-tool.ts';
import { replacedValue, withReplaced } from './replaced-note.ts';
import type { Shown } from './shown.ts';

type SearchValue = z.infer<typeof searchValue>;

const input = z.strictObject({
  queries: z
    .array(z.string())
    .min(1, { error: 'is empty; give at least one query' })
    .max(20, { error: 'has more than 20 queries; give fewer' })
    .describe(
      'Questions or keywords; "a phrase" must be there as it is, -word must not, begin* is any word that begins so',
    ),
  mode: z
    .enum(['fast', 'deep'])
    .nullish()
    .describe('fast, unless told, compares words; deep also compares meanings, where a model is set up'),
  scopes: z
    .array(z.string())
    .nullish()
    .superRefine((scopes, context) => {
      const problem = checkScopes(scopes ?? []);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .describe(
      'Path patterns to search in, as projects/*/state.md or projects/startup-x/; leave it out for everything',
    ),
  limit: z
    .int()
    .min(1)
    .max(mostResults)
    .nullish()
    .describe('How many results at most; leave it out for those that fit well, about 2,000 tokens of them'),
});

export const search = defineReadTool({
  name: 'search',
  title: 'Search the vault',
  description: [
    'Finds passages of files: each with its path, lines and score, and three lines of the file above and below. What it',
    'shows need not be read again. Start with fast; use several short queries rather than one long one. Example:',
    '{"queries": ["abandon external API"], "mode": "fast", "scopes": ["projects/startup-x/"]}',
  ].join(' '),
  input,
  output: searchValue,
  async run({ queries, mode, scopes, limit }, run) {
    const outcome = await run.search({
      queries,
      mode: mode ?? 'fast',
      scopes: scopes ?? undefined,
      limit: limit ?? undefined,
    });
    if (outcome.kind === 'found') for (const passage of outcome.passages) notePassage(run.shown, passage);
    return showFound(outcome);
  },
});

/** A line of which only the beginning is shown does not count as seen. */
function notePassage(shown: Shown, { path, revision, lines, shownLines }: FoundPassage): void {
  if (kindOf(path) === 'image') return;
  let first = 0;
  for (let at = 0; at <= shownLines.length; at += 1) {
    if (at < shownLines.length && (shownLines[at] ?? '').length <= longestLine) continue;
    if (at > first) shown.note(path, revision, lines.start + first, shownLines.slice(first, at));
    first = at + 1;
  }
}

/** What was found as a model reads it: a block per passage, then what is to be known about the search itself. */
export function showFound(outcome: SearchOutcome): ToolResult<SearchValue> {
  if (outcome.kind === 'bad-scope')
    throw new Error(`scope ${outcome.pattern} was not checked: ${outcome.reason}`);
  const { passages, more, stages, degraded, indexedThrough, pending, emptyScopes } = outcome;
  const notes = [
    ...(passages.length === 0 ? ['nothing found; try other words, or fewer scopes'] : []),
    ...emptyScopes.map((scope) => {
      const isLeftOut = /^(?:vault\/)?(?:inbox|overview\.md|profile\.md|tree\.md)\b/.test(scope);
      return `no file belongs to the scope ${showInput(scope)}${isLeftOut ? ': it is not searched, read it' : ''}`;
    }),
    ...degraded,
    ...moreThanShown(more),
  ];
  const blocks = passages.map((passage) =>
    withReplaced(block(headerOf(passage), textOf(passage)), passage.path, passage.replaced),
  );
  return {
    text: joinBlocks([
      ...blocks,
      ...(notes.length > 0 ? [notes.map((note) => `note: ${note}`).join('\n')] : []),
    ]),
    images: [],
    value: {
      sections: passages.map((passage) => ({
        path: showPath(passage.path),
        revision: passage.revision,
        lines: passage.lines,
        best: passage.best,
        section: passage.section,
        score: round(passage.score),
        heading: passage.trail,
        wholeFile: passage.isWholeFile,
        text: textOf(passage),
        ...replacedValue(passage.replaced),
      })),
      found: passages.length + more.count,
      stages,
      degraded,
      indexedThrough: indexedThrough === null ? null : localTime(indexedThrough),
      pending,
      errors: [],
    },
  };
}

function moreThanShown({ count, limit }: Extract<SearchOutcome, { kind: 'found' }>['more']): string[] {
  if (count === 0) return [];
  const note = count === 1 ? '1 more section fits less well' : `${count} more sections fit less well`;
  return [limit === null ? note : `${note}; to see more, search again with limit ${limit}`];
}

function headerOf({ path, lines, totalLines, isWholeFile, score, trail }: FoundPassage): string {
  const range = ` (lines ${lines.start}-${lines.end}${isWholeFile ? ', the whole file' : ` of ${totalLines}`})`;
  const shown = kindOf(path) === 'image' ? '' : range;
  return `${showPath(path)}${shown} · ${score.toFixed(2)} · ${escapeInvisible(trail)}`;
}

function textOf({ path, lines, shownLines }: FoundPassage): string {
  if (kindOf(path) === 'image') return shownLines.join('\n');
  const short = shownLines.map((line) =>
    line.length <= longestLine
      ? line
      : `${line.slice(0, longestLine)} … (${line.length - longestLine} characters more)`,
  );
  return numberedLines(short, lines.start);
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
