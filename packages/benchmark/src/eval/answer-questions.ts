import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../../../vault/src/app/index.ts';
import { isRegularExpression } from './text-matcher.ts';

/** What a question asks for: one fact, several from different places, when, what changed, something absent, or a preference. */
const questionKinds = ['fact', 'several', 'time', 'update', 'absent', 'preference'] as const;

const said = z.union([
  z.string().trim().min(1),
  z.strictObject({ pattern: z.string().refine(isRegularExpression, 'is not a regular expression') }),
]);

const answerQuestion = z
  .strictObject({
    id: z.string(),
    language: z.enum(['fr', 'en', 'de']),
    kind: z.enum(questionKinds).default('fact'),
    /** The folder in `vaults/`; without it, the vault given to the evaluation. */
    vault: z.string().optional(),
    question: z.string(),
    /** Further search queries, for a system that only searches. */
    queries: z.array(z.string()).default([]),
    /** Whole lines, identified by their text, because line numbers would change with the next edit of a note. */
    evidence: z.array(
      z.strictObject({ path: z.string().startsWith('vault/'), text: z.string().trim().min(1) }),
    ),
    /** Names, numbers and dates that the sentence has to say. */
    says: z.array(said).default([]),
    /** Values that the sentence must not say, such as the one before a change. */
    wrong: z.array(said).default([]),
    /** Names, numbers and dates that the sentence may say although the lines do not, such as a sum. */
    allowed: z.array(z.string()).default([]),
    /** The vault contains no answer; a correct response says so. */
    unanswerable: z.literal(true).optional(),
  })
  .refine(({ evidence, unanswerable }) => (evidence.length === 0) === (unanswerable === true), {
    message: 'needs evidence or unanswerable: true',
  });

/** A question and the source lines that its answer must contain. */
export type AnswerQuestion = z.infer<typeof answerQuestion>;

/** Reads the questions of a JSON Lines file. Throws for the first invalid one, with its line number. */
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
    throw new AppError('bad-input', `${where}: not valid JSON`, { cause: error });
  }
}
