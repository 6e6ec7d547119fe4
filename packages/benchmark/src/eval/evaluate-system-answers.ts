import { join } from 'node:path';
import { describeError } from '../../../vault/src/contract/index.ts';
import { readAnswerQuestions } from './answer-questions.ts';
import type { AnswerQuestion } from './answer-questions.ts';
import type { EvaluationRow } from './evaluation-run.ts';
import { askSystem, lastStamp, toSpent, withSystem } from './evaluate-system.ts';
import type { SystemOptions } from './evaluate-system.ts';
import { markdownIn } from './read-notes.ts';
import { scoreAnswer } from './score-answers.ts';
import type { MemorySystem, SystemAnswer } from './systems/memory-system.ts';

type Options = Pick<SystemOptions, 'start' | 'data' | 'only' | 'runs' | 'environment' | 'onProgress'> & {
  /** The vault of questions that name none. */
  vault: string;
};

/** Asks a system every question about the vault that it was given, and scores the answers. */
export async function evaluateSystemAnswers(options: Options): Promise<EvaluationRow[]> {
  const { data, only, runs = 1, vault, onProgress } = options;
  const questions = readAnswerQuestions(join(data, 'questions.jsonl')).filter(
    ({ id }) => only === undefined || id.includes(only),
  );
  const rows: EvaluationRow[] = [];
  for (let run = 1; run <= runs; run += 1)
    for (const [name, asked] of Map.groupBy(questions, (question) => question.vault)) {
      const files = markdownIn(name === undefined ? vault : join(data, 'vaults', name));
      await withSystem(options, async (system) => {
        const at = lastStamp(files);
        await system.reset({ language: asked[0]?.language ?? 'en', at, files });
        for (const question of asked) {
          rows.push({ ...(await answerQuestion(question, system, at)), run });
          onProgress(rows.length, questions.length * runs);
        }
      });
    }
  return rows;
}

async function answerQuestion(
  question: AnswerQuestion,
  system: MemorySystem,
  at: string,
): Promise<Omit<EvaluationRow, 'run'>> {
  const since = performance.now();
  const common = { id: question.id, set: 'questions', works: 1, repairs: 0, spentAsking: null } as const;
  try {
    const answer = await askSystem(system, { ...question, at });
    const score = scoreAnswer(question, toAnswer(answer), at.slice(0, 10));
    return {
      ...common,
      strict: score.failed.length === 0,
      score: score.score,
      failed: score.failed,
      dimensions: score.dimensions,
      shownTokens: score.tokens,
      spent: toSpent([answer.usage]),
      seconds: (performance.now() - since) / 1000,
      problems: score.problems,
    };
  } catch (error) {
    return {
      ...common,
      strict: false,
      score: 0,
      failed: ['settled'],
      spent: toSpent([]),
      seconds: (performance.now() - since) / 1000,
      problems: [describeError(error)],
    };
  }
}

function toAnswer({ text, found, evidence }: SystemAnswer): Parameters<typeof scoreAnswer>[1] {
  return {
    overview: text,
    found,
    hasLooked: true,
    blocks: evidence.map((each, index) => {
      const path = each.path === undefined ? '' : `vault/${each.path.replace(/^vault\//, '')}`;
      // Lines without a number are not the same as those of another block.
      const start = each.start ?? (index + 1) * 100_000;
      return { path, start, end: start + each.text.split('\n').length - 1, text: each.text };
    }),
  };
}
