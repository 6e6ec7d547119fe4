import type { z } from 'zod';
import type { Keepsake, Update } from '../../app/index.ts';
import type { api, ProblemCode } from '../../contract/index.ts';
import type { CommitFailure, CommitOutcome } from '../../tools/index.ts';
import { showPath } from '../../vault/index.ts';
import { nextAfter, Problem } from './problem.ts';

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

/** What waits for the person, with paths as they are shown. */
export function showWaiting(
  waiting: Awaited<ReturnType<Keepsake['inbox']>>[number],
): z.infer<typeof api.inbox>['waiting'][number] {
  if (waiting.kind === 'question') return waiting;
  const { paths, removes, ...held } = waiting;
  return {
    ...held,
    paths: paths.map(showPath),
    removes: removes.map(({ path, lines }) => ({ path: showPath(path), lines })),
  };
}

const problems = {
  'needs-confirmation': 'unconfirmed',
  'not-found': 'no-such-change',
  'wrong-state': 'wrong-state',
  conflict: 'conflict',
} as const satisfies Record<CommitFailure['code'], ProblemCode>;

/** The way on for who was told of a conflict. */
export const decideConflict =
  'send it again with {"conflict": "keep"} for the lines that stand there now, "replace" for the others, or "both"';

/** The id of the change that was made, null when there was nothing to do; everything else is a problem. */
export function changeMade(outcome: CommitOutcome): string | null {
  switch (outcome.kind) {
    case 'made':
      return outcome.change;
    case 'held':
      throw new Problem('wrong-state', {
        detail: `held as ${outcome.change}: ${outcome.reason.text}`,
        // Only what is not the person's own is held.
        next: nextAfter('not-the-person'),
      });
    case 'failed':
      throw new Problem(problems[outcome.code], {
        detail: outcome.message,
        ...(outcome.code === 'conflict' && outcome.mend !== '' && { next: outcome.mend }),
        ...(outcome.code === 'conflict' && { errors: outcome.errors }),
      });
  }
}
