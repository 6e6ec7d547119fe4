import type { z } from 'zod';
import type { Update } from '../../app/index.ts';
import { afterOf, beforeOf } from '../../changes/index.ts';
import type { Changes } from '../../changes/index.ts';
import type { api, ProblemCode } from '../../contract/index.ts';
import type { CommitFailure, CommitOutcome } from '../../tools/index.ts';
import { showPath, unifiedDiff } from '../../vault/index.ts';
import { Problem } from './problem.ts';

type Found = NonNullable<ReturnType<Changes['find']>>;

/** An update without the bytes of its files. */
export function showUpdate(update: Update): z.infer<typeof api.update> {
  const { id, state, acceptedAt, attempts, reason, result, decision, input } = update;
  const { text, files, source, inboxRef } = input;
  return {
    id,
    state,
    acceptedAt,
    attempts,
    reason,
    result,
    decision,
    input: {
      text,
      files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
      source,
      inboxRef: inboxRef ?? null,
    },
  };
}

/** What a change did to each file, or would do if it is held. */
export async function showDiffs(found: Found | null): Promise<{ path: string; diff: string }[]> {
  const files = found === null ? [] : await found.changes();
  return files.map((change) => {
    const shown = showPath(change.path);
    return { path: shown, diff: unifiedDiff(shown, beforeOf(change), afterOf(change)) };
  });
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
