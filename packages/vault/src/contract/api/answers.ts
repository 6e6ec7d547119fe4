import { z } from 'zod';
import { stepSchema } from '../agent-steps.ts';
import { answer, foundPassage } from '../updates.ts';
import { at, id, limit, shownPath } from './fields.ts';
import { problem } from './problem.ts';

export const askRequest = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe('May begin with a folder, as in projects/roof/ When is it repaired?, to use only its notes'),
  keep: z
    .boolean()
    .default(false)
    .describe('Return the id immediately; the answer is generated in the background and saved'),
  follows: id.optional().describe('The saved answer that this question follows up; implies keep'),
});

const answeredBy = z
  .enum(['agent', 'search'])
  .describe('search if no model is configured: the lines that fast search finds for the question');
export const askResponse = answer.extend({ by: answeredBy });

/** An event of a running answer. */
export const foundPassages = z.array(foundPassage);

const savedProblem = problem.pick({ code: true, detail: true, next: true });

/** A saved question with its state and answer. */
export const savedAnswer = z.object({
  id,
  question: z.string(),
  askedAt: at,
  follows: id.nullable().describe('The answer that this question follows up'),
  thread: z.array(id).describe('All answers of the thread, oldest first'),
  state: z
    .enum(['running', 'done', 'failed', 'stopped', 'interrupted'])
    .describe('interrupted: the service stopped before the answer was complete'),
  by: answeredBy.nullable(),
  steps: z.array(stepSchema),
  answer: answer.nullable(),
  problem: savedProblem.nullable().describe('Why there is no answer'),
});
export const savedAnswers = z.object({
  answers: z.array(
    savedAnswer
      .pick({ id: true, question: true, askedAt: true, follows: true, state: true, by: true })
      .extend({ sources: z.int().describe('Number of quoted blocks') }),
  ),
});
export const savedAnswersQuery = z.object({ limit: limit.default(100) });
export const answerExport = z.object({
  path: shownPath,
  change: id.nullable().describe('Change id, for undo'),
});
export const answersDeletion = z.object({ removed: z.int() });
