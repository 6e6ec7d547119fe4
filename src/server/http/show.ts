import type { z } from 'zod';
import type { Update } from '../../app/index.ts';
import type { api, ProblemCode } from '../../contract/index.ts';
import type { CommitFailure, CommitOutcome } from '../../tools/index.ts';
import { Problem } from './problem.ts';

/** An update without the bytes of its files. */
export function showUpdate(update: Update): z.infer<typeof api.update> {
  const { id, state, acceptedAt, attempts, reason, nextAttemptAt, result, decision, spent, input } = update;
  const { text, files, source, inboxRef } = input;
  return {
    id,
    state,
    acceptedAt,
    attempts,
    reason,
    nextAttemptAt,
    result,
    decision,
    spent,
    input: {
      text,
      files,
      source,
      inboxRef: inboxRef ?? null,
    },
  };
}

const problems = {
  'needs-confirmation': 'unconfirmed',
  'not-found': 'no-such-change',
  'wrong-state': 'wrong-state',
  conflict: 'conflict',
} as const satisfies Record<CommitFailure['code'], ProblemCode>;

/** The id of the change that was made, null when there was nothing to do; everything else is a problem. */
export function changeMade(outcome: CommitOutcome): string | null {
  switch (outcome.kind) {
    case 'made':
      return outcome.change;
    case 'held':
      throw new Problem('wrong-state', {
        detail: `held as ${outcome.change}: ${outcome.reason}`,
        next: 'decide on it in the inbox',
      });
    case 'failed':
      throw new Problem(problems[outcome.code], { detail: outcome.message });
  }
}
