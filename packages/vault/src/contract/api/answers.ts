import { z } from 'zod';
import { step } from '../steps.ts';
import { answer } from '../updates.ts';
import { at, id, limit, shownPath } from './fields.ts';
import { problem } from './problem.ts';

export const question = z.strictObject({
  question: z.string().trim().min(1).max(20_000),
  keep: z
    .boolean()
    .default(false)
    .describe('Answered at once with its id; it goes on whoever waits for it, and is kept'),
  follows: id.optional().describe('The kept answer that is asked on from; it is kept, too'),
});

const answeredBy = z
  .enum(['agent', 'search'])
  .describe('search where there is no model: lines that fast search finds for the words of the question');
export const answered = answer.extend({ by: answeredBy });

const keptProblem = problem.pick({ code: true, detail: true, next: true });

/** A question and what has become of it. */
export const keptAnswer = z.object({
  id,
  question: z.string(),
  askedAt: at,
  follows: id.nullable().describe('The answer that it was asked on from'),
  thread: z.array(id).describe('All answers that were asked on from one another, oldest first'),
  state: z
    .enum(['running', 'done', 'failed', 'stopped', 'interrupted'])
    .describe('interrupted: the service was stopped before it was over'),
  by: answeredBy.nullable(),
  steps: z.array(step),
  answer: answer.nullable(),
  problem: keptProblem.nullable().describe('Why there is no answer'),
});
export const keptAnswers = z.object({
  answers: z.array(
    keptAnswer
      .pick({ id: true, question: true, askedAt: true, follows: true, state: true, by: true })
      .extend({ sources: z.int().describe('How many blocks of lines it shows') }),
  ),
});
export const keptQuery = z.object({ limit: limit.default(100) });
export const answerFiled = z.object({ path: shownPath, change: id.nullable().describe('For undo') });
export const answersRemoved = z.object({ removed: z.int() });
