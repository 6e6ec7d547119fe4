import { z } from 'zod';
import { localTime, searchValue } from '../contract/index.ts';
import { checkScopes, defaultLimit, mostResults } from '../search/index.ts';
import type { FoundSection, SearchOutcome } from '../search/index.ts';
import { block, escapeInvisible, joinBlocks, numberedLines, showInput, showPath } from '../vault/index.ts';
import { defineReadTool } from './define-tool.ts';
import type { ToolResult } from './define-tool.ts';

type SearchValue = z.infer<typeof searchValue>;

const input = z.strictObject({
  queries: z
    .array(z.string())
    .min(1, { error: 'is empty; give at least one query' })
    .max(20, { error: 'has more than 20 queries; give fewer' })
    .describe('Questions or keywords; "a phrase" must be there as it is, -word must not'),
  mode: z
    .enum(['fast', 'deep'])
    .describe('fast compares words; deep also compares meanings, where a model is set up'),
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
    .describe(`How many sections at most (default ${defaultLimit})`),
});

export const search = defineReadTool({
  name: 'search',
  description: [
    'Finds sections of files: each with its path, lines and score, and its best lines with their numbers. Start with',
    'fast; use several short queries rather than one long one. Example: {"queries": ["abandon external API"], "mode":',
    '"fast", "scopes": ["projects/startup-x/"]}',
  ].join(' '),
  input,
  output: searchValue,
  async run({ queries, mode, scopes, limit }, run) {
    return showFound(
      await run.search({ queries, mode, scopes: scopes ?? undefined, limit: limit ?? undefined }),
    );
  },
});

/** What was found as a model reads it: a block per section, then what is to be known about the search itself. */
export function showFound(outcome: SearchOutcome): ToolResult<SearchValue> {
  if (outcome.kind === 'bad-scope')
    throw new Error(`scope ${outcome.pattern} was not checked: ${outcome.reason}`);
  const { sections, stages, degraded, indexedThrough, pending, emptyScopes } = outcome;
  const notes = [
    ...(sections.length === 0 ? ['nothing found; try other words, or fewer scopes'] : []),
    ...emptyScopes.map((scope) => `no file belongs to the scope ${showInput(scope)}`),
    ...degraded,
  ];
  const blocks = sections.map((section) => block(headerOf(section), textOf(section)));
  return {
    text: joinBlocks([
      ...blocks,
      ...(notes.length > 0 ? [notes.map((note) => `note: ${note}`).join('\n')] : []),
    ]),
    images: [],
    value: {
      sections: sections.map((section) => ({
        path: showPath(section.path),
        revision: section.revision,
        lines: section.lines,
        score: round(section.score),
        heading: section.trail,
        wholeFile: section.isWholeFile,
        shown: section.shown,
        text: textOf(section),
      })),
      stages,
      degraded,
      indexedThrough: indexedThrough === null ? null : localTime(indexedThrough),
      pending,
      errors: [],
    },
  };
}

function headerOf({ path, lines, score, trail, isWholeFile }: FoundSection): string {
  const range = `lines ${lines.start}-${lines.end}${isWholeFile ? ', the whole file' : ''}`;
  return `${showPath(path)} (${range}) · ${score.toFixed(2)} · ${escapeInvisible(trail)}`;
}

/** Of a line that would be most of the answer by itself, only the beginning. */
function textOf({ shown, shownLines }: FoundSection): string {
  const short = shownLines.map((line) =>
    line.length <= longestLine
      ? line
      : `${line.slice(0, longestLine)} … (${line.length - longestLine} characters more)`,
  );
  return numberedLines(short, shown.start);
}

const longestLine = 4_000;

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
