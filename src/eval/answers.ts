import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeepsake } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { readAnswerQuestions } from './answer-questions.ts';
import type { EvaluationRow } from './compare-runs.ts';
import { scoreAnswer } from './score-answers.ts';

type Options = {
  /** A file of questions, one JSON object a line. */
  questions: string;
  vault: string;
  /** Only questions whose id has this in it. */
  only?: string | undefined;
  environment: Environment;
  hasPrices: boolean;
  onProgress: (done: number, total: number) => void;
};

/** Asks the search agent every question, and scores the lines it answers with. */
export async function evaluateAnswers(options: Options): Promise<EvaluationRow[]> {
  const questions = readAnswerQuestions(options.questions).filter(
    ({ id }) => options.only === undefined || id.includes(options.only),
  );
  const scratch = mkdtempSync(join(tmpdir(), 'keepsake-eval-'));
  cpSync(options.vault, join(scratch, 'vault'), { recursive: true });
  const keepsake = await openKeepsake({
    vault: join(scratch, 'vault'),
    state: join(scratch, 'state'),
    environment: options.environment,
  });
  const { agents, search } = keepsake;
  const rows: EvaluationRow[] = [];
  try {
    await search.prepare('fast');
    for (const question of questions) {
      const [since, before] = [performance.now(), agents.spentToday()];
      const { score, problems } = await agents.ask(question.question, new AbortController().signal).then(
        (answer) => scoreAnswer(question, answer),
        (error: unknown) => ({ score: 0, problems: [describeError(error)] }),
      );
      const after = agents.spentToday();
      rows.push({
        id: question.id,
        score,
        tokens: after.tokens - before.tokens,
        cost: options.hasPrices ? after.cost - before.cost : null,
        seconds: (performance.now() - since) / 1000,
        problems,
      });
      options.onProgress(rows.length, questions.length);
    }
  } finally {
    await keepsake.close();
    rmSync(scratch, { recursive: true, force: true });
  }
  return rows;
}
