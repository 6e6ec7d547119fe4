import { z } from 'zod';

const count = z.int().min(0);

/** Tokens that models used: `fresh` is uncached input, `cached` was read from the provider's cache, `written` was written to it. */
const spent = z.strictObject({
  steps: count,
  fresh: count,
  cached: count,
  written: count,
  output: count,
  /** Null when the price of the model is unknown. */
  cost: z.number().min(0).nullable(),
});

const row = z.strictObject({
  id: z.string(),
  set: z.enum(['scenarios', 'sequences', 'questions']),
  /** The number of the repetition, from 1. */
  run: z.int().min(1),
  /** Whether all expectations are met. */
  strict: z.boolean(),
  /** For filing, the share of the expectations that are met; doing nothing scores 0. */
  score: z.number().min(0).max(1),
  /** The dimensions with at least one unmet expectation. */
  failed: z.array(z.string()),
  /** The share of the met expectations of each dimension that has any. */
  dimensions: z.record(z.string(), z.number()).optional(),
  /** The tokens of the source lines of an answer. */
  shownTokens: count.optional(),
  /** The number of updates or questions that `spent` covers. */
  works: z.int().min(1),
  /** False alarms of the review; counted for the reference solutions. */
  repairs: z.int().default(0),
  spent,
  /** Model usage for the questions about the final state; null when there are no questions. */
  spentAsking: spent.nullable(),
  seconds: z.number().min(0),
  problems: z.array(z.string()),
});

/** One evaluation of one model or baseline, as stored in a file. */
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

/** Parses a saved run, or returns why it is invalid. */
export function parseRun(saved: unknown): EvaluationRun | { problem: string } {
  const parsed = evaluationRun.safeParse(saved);
  if (parsed.success) return parsed.data;
  const { success: isOld } = z.object({ kind: z.string(), rows: z.array(z.unknown()) }).safeParse(saved);
  const isOfOtherFormat = isOld && (saved as { format?: unknown }).format !== 2;
  return {
    problem: isOfOtherFormat
      ? 'was saved by another version of Keepsake with different scoring; run the evaluation again'
      : 'is not a run saved with --save',
  };
}
