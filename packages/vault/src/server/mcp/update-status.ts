import { z } from 'zod';
import type { Update } from '../../app/index.ts';
import { formatReceipt, isModelUnavailable, reason, updateResult } from '../../contract/index.ts';

export const updateStatusSchema = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'parked', 'cancelled']),
  reason: reason.nullable().describe('Error of the last failed attempt, or null'),
  result: updateResult.nullable().describe('Outcome, or null while unfinished'),
  decision: z.enum(['approved', 'rejected']).nullable().describe("The user's decision on a held update"),
  text: z.string().describe('The status as text'),
});

export function toUpdateStatus(update: Update): z.infer<typeof updateStatusSchema> {
  const { id, state, result, decision } = update;
  return { id, state, reason: update.reason, result, decision, text: describe(update) };
}

type Facts = Pick<Update, 'id' | 'state' | 'reason' | 'result' | 'decision' | 'nextAttemptAt'>;

function describe({ id, state, reason: failure, result, decision, nextAttemptAt }: Facts): string {
  const why = failure === null ? '' : `: ${failure.text}`;
  const later = `Check again later: memory_status ${JSON.stringify({ id })}`;
  switch (state) {
    case 'waiting':
      if (nextAttemptAt === null) return `queued. ${later}`;
      if (failure !== null && isModelUnavailable(failure))
        return `waiting for the model${why}; it will be filed when the model is available. ${later}`;
      return `attempt failed${why}; will be retried. ${later}`;
    case 'running':
      return `in progress. ${later}`;
    case 'parked':
      return `failed${why}. The input is kept; retry with: keepsake updates retry ${id.slice(0, 8)}`;
    case 'cancelled':
      return 'cancelled by the user';
    case 'done':
      return describeResult(id, result, decision);
  }
}

function describeResult(id: string, result: Update['result'], decision: Update['decision']): string {
  switch (result?.kind) {
    case 'filed':
      return [
        `filed: ${result.summary}`,
        ...(result.receipt === null ? result.paths : formatReceipt(result.receipt, 'en')),
        ...(result.asked === null
          ? []
          : [`question for the user: ${questionPath(result.asked, result.paths)}`]),
      ].join('\n');
    case 'held':
      return decision === null
        ? [
            `held for approval, nothing written: ${result.reason.text}. To approve: keepsake approve ${id.slice(0, 8)}`,
            ...(result.receipt === null ? [] : formatReceipt(result.receipt, 'en')),
          ].join('\n')
        : `${decision} by the user: ${result.summary}`;
    case 'unchanged':
      return `no changes: ${result.summary}`;
    case undefined:
      return 'done';
  }
}

/** The path of the question; the inbox may have another name. */
function questionPath(item: string, paths: readonly string[]): string {
  return paths.find((path) => path.endsWith(`/${item}/review.md`)) ?? item;
}
