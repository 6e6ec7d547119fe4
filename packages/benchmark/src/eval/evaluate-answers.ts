import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openKeepsake } from '../../../vault/src/app/index.ts';
import type { Environment, Keepsake } from '../../../vault/src/app/index.ts';
import { describeError } from '../../../vault/src/contract/index.ts';
import { readAnswerQuestions } from './answer-questions.ts';
import type { AnswerQuestion } from './answer-questions.ts';
import { createEvaluationClock } from './evaluation-clock.ts';
import type { EvaluationClock } from './evaluation-clock.ts';
import type { EvaluationRow } from './evaluation-run.ts';
import { markdownIn } from './read-notes.ts';
import { scoreAnswer } from './score-answers.ts';
import { trackUsage } from './usage.ts';
import { writeVaultIdentity } from './vault-identity.ts';

type Options = {
  /** A folder with `questions.jsonl`, and a vault in `vaults/` for each that the questions name. */
  data: string;
  /** The vault of questions that name none. */
  vault: string;
  /** Only questions whose id contains this text. */
  only?: string | undefined;
  /** How many times each question is asked. */
  runs?: number | undefined;
  environment: Environment;
  hasPrices: boolean;
  onProgress: (done: number, total: number) => void;
};

/** Asks the search agent every question, and scores the lines it answers with. */
export async function evaluateAnswers(options: Options): Promise<EvaluationRow[]> {
  const { data, only, vault, onProgress, runs = 1 } = options;
  const questions = readAnswerQuestions(join(data, 'questions.jsonl')).filter(
    ({ id }) => only === undefined || id.includes(only),
  );
  const rows: EvaluationRow[] = [];
  for (const [name, asked] of Map.groupBy(questions, (question) => question.vault)) {
    const scratch = mkdtempSync(join(options.environment.temporaryFolder, 'keepsake-eval-'));
    const done = rows.length;
    try {
      const part = {
        ...options,
        vault: name === undefined ? vault : join(data, 'vaults', name),
        onProgress: (count: number) => onProgress(done + count, questions.length * runs),
      };
      rows.push(...(await answerInScratch(scratch, asked, part)));
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  return rows;
}

async function answerInScratch(
  scratch: string,
  questions: readonly AnswerQuestion[],
  options: Options,
): Promise<EvaluationRow[]> {
  const { runs = 1 } = options;
  const vault = join(scratch, 'vault');
  cpSync(options.vault, vault, { recursive: true });
  writeVaultIdentity(vault);
  const clock = createEvaluationClock(markdownIn(options.vault));
  const keepsake = await openKeepsake({
    vault,
    state: join(scratch, 'state'),
    environment: options.environment,
    clock: clock.now,
  });
  const rows: EvaluationRow[] = [];
  try {
    await keepsake.search.prepare('fast');
    for (let run = 1; run <= runs; run += 1)
      for (const question of questions) {
        rows.push({ ...(await answerQuestion(question, { keepsake, clock, ...options })), run });
        options.onProgress(rows.length, questions.length * runs);
      }
  } finally {
    await keepsake.close();
  }
  return rows;
}

type Parts = { keepsake: Keepsake; clock: EvaluationClock; hasPrices: boolean };

async function answerQuestion(
  question: AnswerQuestion,
  { keepsake: { agents, events }, clock, hasPrices }: Parts,
): Promise<Omit<EvaluationRow, 'run'>> {
  const since = performance.now();
  const spending = trackUsage(agents, hasPrices);
  let hasLooked = false;
  const stopListening = events.subscribe((event) => {
    if (event.type === 'tool-finished' && event.problem === null && event.tool === 'search') hasLooked = true;
  });
  const { score, failed, problems, tokens, ...scored } = await agents
    .ask(question.question, new AbortController().signal)
    .then(
      (answer) => scoreAnswer(question, { ...answer, hasLooked }, clock.day()),
      (error: unknown) => ({ failed: ['settled'], score: 0, problems: [describeError(error)], tokens: 0 }),
    );
  stopListening();
  return {
    id: question.id,
    set: 'questions',
    strict: failed.length === 0,
    score,
    failed,
    ...('dimensions' in scored && { dimensions: scored.dimensions }),
    shownTokens: tokens,
    works: 1,
    repairs: 0,
    spent: spending(),
    spentAsking: null,
    seconds: (performance.now() - since) / 1000,
    problems,
  };
}
