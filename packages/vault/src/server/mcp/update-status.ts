import { z } from 'zod';
import type { Update } from '../../app/index.ts';
import { reason, updateResult } from '../../contract/index.ts';

export const updateStatus = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'parked', 'cancelled']),
  reason: reason.nullable().describe('Why the last attempt failed; null when none has'),
  result: updateResult.nullable().describe('What came of it; null before it is done'),
  decision: z.enum(['approved', 'rejected']).nullable().describe('Of the person, on one that was held'),
  text: z.string().describe('All of it in words'),
});

export function showUpdate(update: Update): z.infer<typeof updateStatus> {
  const { id, state, result, decision } = update;
  return { id, state, reason: update.reason, result, decision, text: describe(update) };
}

type Facts = Pick<Update, 'id' | 'state' | 'reason' | 'result' | 'decision' | 'attempts'>;

function describe({ id, state, reason: failure, result, decision, attempts }: Facts): string {
  const why = failure === null ? '' : `: ${failure.text}`;
  const later = `Ask again later: memory_status ${JSON.stringify({ id })}`;
  switch (state) {
    case 'waiting':
      return attempts === 0
        ? `accepted, and waits for its turn. ${later}`
        : `accepted; it failed${why}; it is tried again. ${later}`;
    case 'running':
      return `accepted, and being filed. ${later}`;
    case 'parked':
      return `not filed${why}. It is kept; the person can try it again: keepsake updates retry ${id.slice(0, 8)}`;
    case 'cancelled':
      return 'cancelled by the person';
    case 'done':
      return describeResult(id, result, decision);
  }
}

function describeResult(id: string, result: Update['result'], decision: Update['decision']): string {
  switch (result?.kind) {
    case 'filed':
      return [
        `filed: ${result.summary}`,
        ...result.paths,
        ...(result.asked === null ? [] : [`the person is asked in vault/inbox/${result.asked}/review.md`]),
      ].join('\n');
    case 'held':
      return decision === null
        ? `held, nothing is written yet: ${result.reason.text}. A person decides: keepsake approve ${id.slice(0, 8)}`
        : `${decision} by the person: ${result.summary}`;
    case 'unchanged':
      return `nothing was changed: ${result.summary}`;
    case undefined:
      return 'done';
  }
}
