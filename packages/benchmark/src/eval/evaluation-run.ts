import { z } from 'zod';

const count = z.int().min(0);

/** What models used: `fresh` was read for the first time, `cached` came from the provider's cache, `written` went into it. */
const spent = z.strictObject({
  steps: count,
  fresh: count,
  cached: count,
  written: count,
  output: count,
  /** Null where the price of the model is not known. */
  cost: z.number().min(0).nullable(),
});

const row = z.strictObject({
  id: z.string(),
  set: z.enum(['scenarios', 'sequences', 'questions']),
  /** From 1, when the same is done several times. */
  run: z.int().min(1),
  /** Everything is as expected. */
  strict: z.boolean(),
  /** Of filing the share of what was expected, where nothing done is 0. */
  score: z.number().min(0).max(1),
  /** The dimensions in which something is not as expected. */
  failed: z.array(z.string()),
  /** How many updates, or questions, `spent` was spent on. */
  works: z.int().min(1),
  spent,
  /** What the questions about the end state used, where there are any. */
  spentAsking: spent.nullable(),
  seconds: z.number().min(0),
  problems: z.array(z.string()),
});

/** One evaluation of one model or baseline, as it is kept in a file. */
const evaluationRun = z.strictObject({
  format: z.literal(2),
  kind: z.enum(['filing', 'answers']),
  model: z.string(),
  at: z.string(),
  rows: z.array(row),
});

export type Spent = z.infer<typeof spent>;
export type EvaluationRow = z.infer<typeof row>;
export type EvaluationRun = z.infer<typeof evaluationRun>;

/** A run from its file, or a sentence on why it is none. */
export function parseRun(saved: unknown): EvaluationRun | { problem: string } {
  const parsed = evaluationRun.safeParse(saved);
  if (parsed.success) return parsed.data;
  const { success: isOld } = z.object({ kind: z.string(), rows: z.array(z.unknown()) }).safeParse(saved);
  const isOfOtherFormat = isOld && (saved as { format?: unknown }).format !== 2;
  return {
    problem: isOfOtherFormat
      ? 'was saved by another version of Keepsake, whose scores mean something else; run that evaluation again'
      : 'is not a run that was saved with --save',
  };
}
