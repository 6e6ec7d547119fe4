import type { AnswerQuestion } from './answer-questions.ts';

/** Blocks hold source lines as they are in the file, without numbers; `path` begins with `vault/`. */
export type Answer = {
  overview: string;
  blocks: readonly { path: string; start: number; end: number; text: string }[];
  /** Whether it searched at all: who has not looked cannot know that there is nothing. */
  hasLooked: boolean;
};

export type AnswerScore = {
  /** Evidence lines that the blocks show, and how many there are. */
  covered: number;
  of: number;
  /** `covered / of`; of a question without an answer, 1 when it searched and shows nothing. */
  recall: number;
  /** What the blocks cost, and the share of their lines that is evidence; blank lines are left out. */
  tokens: number;
  evidenceShare: number;
  overviewLines: number;
  /** 0 to 1: recall, reduced for an overview of the wrong length and for pouring out the vault. */
  score: number;
  problems: string[];
};

/** Beyond this an answer is no longer one, and its score falls in proportion. */
const roomyAnswer = 4_000;
const factorForOverview = 0.9;

export function scoreAnswer(
  { evidence, unanswerable }: AnswerQuestion,
  { overview, blocks, hasLooked }: Answer,
): AnswerScore {
  const shown = linesShown(blocks);
  const missing = evidence.filter(
    ({ path, text }) => !shown.some((line) => line.path === path && line.text === text),
  );
  const covered = evidence.length - missing.length;
  const useful = shown.filter(({ path, text }) =>
    evidence.some((line) => line.path === path && line.text === text),
  );
  const recall = unanswerable === true ? Number(hasLooked && blocks.length === 0) : covered / evidence.length;
  const tokens = Math.ceil(blocks.reduce((sum, { text }) => sum + text.length, 0) / 4);
  const overviewLines = overview.split('\n').filter((line) => line.trim() !== '').length;
  const isOverview = overviewLines >= 2 && overviewLines <= 5;
  return {
    covered,
    of: evidence.length,
    recall,
    tokens,
    evidenceShare: shown.length === 0 ? 0 : useful.length / shown.length,
    overviewLines,
    score: recall * (isOverview ? 1 : factorForOverview) * Math.min(1, roomyAnswer / Math.max(1, tokens)),
    problems: [
      ...missing.map(({ path, text }) => `${path} is not shown with the line ${JSON.stringify(text)}`),
      ...(unanswerable === true && blocks.length > 0
        ? [`nothing answers this, but ${blocks.map(({ path }) => path).join(', ')} is shown`]
        : []),
      ...(unanswerable === true && !hasLooked ? ['it says that there is nothing, but never searched'] : []),
      ...(isOverview ? [] : [`the overview should have 2 to 5 lines, but has ${overviewLines}`]),
      ...(tokens > roomyAnswer ? [`the blocks are ${tokens} tokens, more than ${roomyAnswer}`] : []),
    ],
  };
}

/** Each line once, however many blocks show it. */
function linesShown(blocks: Answer['blocks']): { path: string; text: string }[] {
  const lines = blocks.flatMap(({ path, start, text }) =>
    text.split('\n').map((line, index) => [`${path}:${start + index}`, { path, text: line.trim() }] as const),
  );
  return [...new Map(lines).values()].filter(({ text }) => text !== '');
}
