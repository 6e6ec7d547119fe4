import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../../../vault/src/app/index.ts';

const answerQuestion = z
  .strictObject({
    id: z.string(),
    language: z.enum(['fr', 'en']),
    question: z.string(),
    /** Whole lines, by their text: line numbers would not survive the next edit of a note. */
    evidence: z.array(
      z.strictObject({ path: z.string().startsWith('vault/'), text: z.string().trim().min(1) }),
    ),
    /** The vault does not say; the right answer shows no lines. */
    unanswerable: z.literal(true).optional(),
  })
  .refine(({ evidence, unanswerable }) => (evidence.length === 0) === (unanswerable === true), {
    message: 'needs evidence, or to be unanswerable',
  });

/** A question and the lines that must be within the evidence of its answer. */
export type AnswerQuestion = z.infer<typeof answerQuestion>;

/** Every question of a JSON-lines file; the first that is wrong throws with its line. */
export function readAnswerQuestions(file: string): AnswerQuestion[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [readQuestion(line, `${file}:${index + 1}`)],
  );
}

function readQuestion(line: string, where: string): AnswerQuestion {
  const parsed = answerQuestion.safeParse(parseJson(line, where));
  if (!parsed.success)
    throw new AppError('bad-input', `${where}: ${z.prettifyError(parsed.error)}`, { cause: parsed.error });
  return parsed.data;
}

function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new AppError('bad-input', `${where}: is not JSON`, { cause: error });
  }
}
