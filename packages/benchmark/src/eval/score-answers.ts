import type { AnswerQuestion } from './answer-questions.ts';

/** Blocks contain unchanged source lines without numbers; `path` starts with `vault/`. */
export type Answer = {
  overview: string;
  blocks: readonly { path: string; start: number; end: number; text: string }[];
  /** Whether the answer says that the vault contains it. With `no`, the blocks are near misses. */
  found: 'yes' | 'partly' | 'no';
  /** Whether the agent searched at all. Without a search it cannot know that there is no answer. */
  hasLooked: boolean;
};

export type AnswerScore = {
  /** How many evidence lines the blocks show, and how many there are. */
  covered: number;
  of: number;
  /** `covered / of`; for a question without an answer, 1 when the agent searched and says so. */
  recall: number;
  /** The tokens of the blocks, and the share of their non-blank lines that is evidence. */
  tokens: number;
  evidenceShare: number;
  overviewLines: number;
  /** 0 to 1: recall, reduced for an overview of the wrong length and for an answer that is too long. */
  score: number;
  problems: string[];
};

/**
 * The length, in tokens, up to which an answer gets its full score. The score of a longer answer decreases in
 * proportion.
 */
const fullScoreTokens = 4_000;
const missingOverviewFactor = 0.9;
/** Five lines, and a list of 15 rows. */
const maxOverviewLines = 20;

export function scoreAnswer(
  { evidence, unanswerable }: AnswerQuestion,
  { overview, blocks, found, hasLooked }: Answer,
): AnswerScore {
  const shown = uniqueLines(blocks);
  const missing = evidence.filter(
    ({ path, text }) => !shown.some((line) => line.path === path && line.text === text),
  );
  const covered = evidence.length - missing.length;
  const useful = shown.filter(({ path, text }) =>
    evidence.some((line) => line.path === path && line.text === text),
  );
  const recall = unanswerable === true ? Number(hasLooked && found === 'no') : covered / evidence.length;
  const tokens = Math.ceil(blocks.reduce((sum, { text }) => sum + text.length, 0) / 4);
  const overviewLines = overview.split('\n').filter((line) => line.trim() !== '').length;
  const isOverview = overviewLines >= 1 && overviewLines <= maxOverviewLines;
  return {
    covered,
    of: evidence.length,
    recall,
    tokens,
    evidenceShare: shown.length === 0 ? 0 : useful.length / shown.length,
    overviewLines,
    score:
      recall * (isOverview ? 1 : missingOverviewFactor) * Math.min(1, fullScoreTokens / Math.max(1, tokens)),
    problems: [
      ...missing.map(({ path, text }) => `missing in the answer: line ${JSON.stringify(text)} of ${path}`),
      ...(unanswerable === true && found !== 'no'
        ? ['the question has no answer, but the agent says that it found one']
        : []),
      ...(unanswerable === true && !hasLooked ? ['reported no answer without a search'] : []),
      ...(isOverview
        ? []
        : [`the overview should have 1 to ${maxOverviewLines} lines, but has ${overviewLines}`]),
      ...(tokens > fullScoreTokens ? [`the blocks have ${tokens} tokens, more than ${fullScoreTokens}`] : []),
    ],
  };
}

/** Returns each line once, even if several blocks show it. */
function uniqueLines(blocks: Answer['blocks']): { path: string; text: string }[] {
  const lines = blocks.flatMap(({ path, start, text }) =>
    text.split('\n').map((line, index) => [`${path}:${start + index}`, { path, text: line.trim() }] as const),
  );
  return [...new Map(lines).values()].filter(({ text }) => text !== '');
}
