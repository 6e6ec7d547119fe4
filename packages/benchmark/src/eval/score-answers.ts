import type { AnswerQuestion } from './answer-questions.ts';
import { fold } from '../../../vault/src/review/index.ts';
import { createSentenceReader } from './read-sentence.ts';

/** Blocks contain unchanged source lines without numbers; `path` starts with `vault/`. */
export type Answer = {
  overview: string;
  blocks: readonly { path: string; start: number; end: number; text: string }[];
  /** Whether the answer says that the vault contains it. With `no`, the blocks are near misses. */
  found: 'yes' | 'partly' | 'no';
  /** Whether the agent searched at all. Without a search it cannot know that there is no answer. */
  hasLooked: boolean;
};

export const answerDimensions = [
  'evidence',
  'sentence',
  'support',
  'abstention',
  'cost',
  'precision',
  'length',
] as const;
export type AnswerDimension = (typeof answerDimensions)[number];

export type AnswerScore = {
  /** From 0 to 1 each; the score is their product. */
  dimensions: Record<AnswerDimension, number>;
  score: number;
  /** The dimensions below 1. */
  failed: AnswerDimension[];
  /** The tokens of the blocks, and the share of their non-blank lines that is evidence. */
  tokens: number;
  evidenceShare: number;
  problems: string[];
};

/** An answer may show this many tokens, plus twice those of the evidence, because a line needs its surroundings. */
const freeTokens = 500;
/** Each doubling beyond that costs this much. */
const costPerDoubling = 0.15;
/** Lines that may be shown besides the evidence: some for each answer, and some for each evidence line. */
const freeLines = { perAnswer: 15, perEvidence: 10 };
const lengthFactor = 0.9;
/** Five lines, and a list of 15 rows. */
const maxOverviewLines = 20;
/** Evidence without the sentence is half of an answer. So is evidence below a sentence that denies it. */
const half = 0.5;

type Check = { share: number; problems: string[] };

const passed: Check = { share: 1, problems: [] };
const failWith = (problem: string, share = 0): Check => ({ share, problems: [problem] });

/** Scores the sentence of an answer and the source lines below it. `today` is the day of the question, as `2026-03-02`. */
export function scoreAnswer(question: AnswerQuestion, answer: Answer, today: string): AnswerScore {
  const shown = uniqueLines(answer.blocks);
  const evidence = scoreEvidence(question, shown);
  const tokens = tokensOf(answer.blocks);
  const checks: Record<AnswerDimension, Check> = {
    evidence,
    ...scoreSentence(question, answer, today),
    abstention: scoreAbstention(question, answer),
    cost: scoreCost(question, tokens),
    precision: scorePrecision(question, shown.length - evidence.useful),
    length: scoreLength(answer),
  };
  const shareOf = (name: AnswerDimension): number => checks[name].share;
  return {
    dimensions: Object.fromEntries(
      answerDimensions.map((name) => [name, shareOf(name)]),
    ) as AnswerScore['dimensions'],
    score: answerDimensions.reduce((product, name) => product * shareOf(name), 1),
    failed: answerDimensions.filter((name) => shareOf(name) < 1),
    tokens,
    evidenceShare: shown.length === 0 ? 0 : evidence.useful / shown.length,
    problems: answerDimensions.flatMap((name) => checks[name].problems),
  };
}

type ShownLine = { path: string; text: string };

function scoreEvidence(
  { evidence }: AnswerQuestion,
  shown: readonly ShownLine[],
): Check & { useful: number } {
  const isLine = (line: ShownLine, wanted: ShownLine): boolean =>
    // A memory without files names none.
    (line.path === '' || line.path === wanted.path) && showsLine(line.text, wanted.text);
  const missing = evidence.filter((wanted) => !shown.some((line) => isLine(line, wanted)));
  return {
    share: evidence.length === 0 ? 1 : 1 - missing.length / evidence.length,
    useful: shown.filter((line) => evidence.some((wanted) => isLine(line, wanted))).length,
    problems: missing.map(
      ({ path, text }) => `missing in the answer: line ${JSON.stringify(text)} of ${path}`,
    ),
  };
}

/** Shorter lines, such as “17”, are in many others. */
const minContainedCharacters = 20;

/** Whether a line is another, or contains it, as in an entry with a date before it; a final full stop does not matter. */
function showsLine(shown: string, wanted: string): boolean {
  const [line, part] = [comparable(shown), comparable(wanted)];
  return line === part || (part.length >= minContainedCharacters && line.includes(part));
}

function comparable(line: string): string {
  return fold(line).replace(/[.!]$/, '');
}

/** What the sentence has to say, and what it may say: the figures and names of the question and of the lines shown. */
function scoreSentence(
  { question, language, says, wrong, allowed, unanswerable }: AnswerQuestion,
  { overview, blocks }: Answer,
  today: string,
): { sentence: Check; support: Check } {
  const reader = createSentenceReader({ overview, language, today });
  const unsaid = unanswerable === true ? [] : says.filter((each) => !reader.says(each));
  const stated = wrong.filter((each) => reader.says(each));
  const strange = reader.findUnsupported([
    question,
    ...allowed,
    // Lists and totals of the lines: “three of them”.
    ...blocks.flatMap(({ path, text }, index) => [path, text, String(index + 1)]),
  ]);
  const quote = (values: readonly unknown[]): string =>
    values.map((value) => JSON.stringify(value)).join(', ');
  // A value from before a change may be said beside the current one, but not in its place.
  const isReplaced = unsaid.length > 0 && stated.length > 0;
  return {
    sentence: isReplaced
      ? failWith(`the sentence says ${quote(stated)}, which is wrong, and not ${quote(unsaid)}`)
      : unsaid.length === 0
        ? passed
        : failWith(
            `the sentence does not say ${quote(unsaid)}`,
            half + half * (1 - unsaid.length / says.length),
          ),
    support:
      stated.length > 0 && says.length === 0
        ? failWith(`the sentence says ${quote(stated)}, which is wrong`)
        : strange.length > 0
          ? failWith(`the sentence says ${quote(strange)}, which the lines shown do not`)
          : passed,
  };
}

function scoreAbstention({ unanswerable }: AnswerQuestion, { found, hasLooked }: Answer): Check {
  if (unanswerable !== true)
    return found === 'no'
      ? failWith('the vault has the answer, but the agent says that it has not', half)
      : passed;
  if (found !== 'no') return failWith('the question has no answer, but the agent says that it found one');
  return hasLooked ? passed : failWith('reported no answer without a search');
}

function scoreCost({ evidence }: AnswerQuestion, tokens: number): Check {
  const free = freeTokens + 2 * tokensOf(evidence);
  if (tokens <= free) return passed;
  return failWith(
    `the lines shown have ${tokens} tokens, more than ${free}`,
    Math.max(0, 1 - costPerDoubling * Math.log2(tokens / free)),
  );
}

function scorePrecision({ evidence }: AnswerQuestion, others: number): Check {
  const free = freeLines.perAnswer + freeLines.perEvidence * evidence.length;
  if (others <= free) return passed;
  return failWith(`${others} of the lines shown are no evidence, more than ${free}`, free / others);
}

function scoreLength({ overview }: Answer): Check {
  const lines = overview.split('\n').filter((line) => line.trim() !== '').length;
  if (lines >= 1 && lines <= maxOverviewLines) return passed;
  return failWith(`the overview should have 1 to ${maxOverviewLines} lines, but has ${lines}`, lengthFactor);
}

function tokensOf(blocks: readonly { text: string }[]): number {
  return Math.ceil(blocks.reduce((sum, { text }) => sum + text.length, 0) / 4);
}

/** Returns each line once, even if several blocks show it. */
function uniqueLines(blocks: Answer['blocks']): ShownLine[] {
  const lines = blocks.flatMap(({ path, start, text }) =>
    text.split('\n').map((line, index) => [`${path}:${start + index}`, { path, text: line.trim() }] as const),
  );
  return [...new Map(lines).values()].filter(({ text }) => text !== '');
}
