import type { z } from 'zod';
import type { Keepsake, Update } from '../../app/index.ts';
import type { api, ConflictingFile, ProblemCode } from '../../contract/index.ts';
import type { CommitFailure, CommitOutcome } from '../../tools/index.ts';
import { formatPath } from '../../vault/index.ts';
import { getDefaultHint, Problem } from './problem.ts';

/** An update without the bytes of its files. */
export function toUpdateView(update: Update): z.infer<typeof api.update> {
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

/** Formats the paths of an inbox entry. */
export function toInboxEntry(
  waiting: Awaited<ReturnType<Keepsake['inbox']>>[number],
): z.infer<typeof api.inbox>['waiting'][number] {
  if (waiting.kind === 'question') return waiting;
  const { paths, removes, ...held } = waiting;
  return {
    ...held,
    paths: paths.map(formatPath),
    removes: removes.map(({ path, lines }) => ({ path: formatPath(path), lines })),
  };
}

const problems = {
  'needs-confirmation': 'unconfirmed',
  'not-found': 'no-such-change',
  expired: 'expired',
  'wrong-state': 'wrong-state',
  conflict: 'conflict',
} as const satisfies Record<CommitFailure['code'], ProblemCode>;

/** Tells a client how to resolve a conflict. */
export const conflictHint =
  'resend with {"conflict": "keep"} for the current lines, "replace" for the incoming lines, or "both"';

function toConflictingFile({ path, conflicts }: CommitFailure['conflicts'][number]): ConflictingFile {
  const lines = (of: readonly string[]): string[] => of.map((line) => line.replace(/\r?\n$/, ''));
  return {
    path: formatPath(path),
    hunks: conflicts.map(({ firstLine, current, incoming }) => ({
      line: firstLine,
      current: lines(current),
      incoming: lines(incoming),
    })),
  };
}

/** Returns the id of the change, null if nothing had to be changed; throws a problem for every other outcome. */
export function unwrapChangeId(outcome: CommitOutcome): string | null {
  switch (outcome.kind) {
    case 'applied':
      return outcome.change;
    case 'held':
      throw new Problem('wrong-state', {
        detail: `held as ${outcome.change}: ${outcome.reason.text}`,
        // The user's own changes are never held, so the caller is a client.
        hint: getDefaultHint('not-the-person'),
      });
    case 'failed':
      throw new Problem(problems[outcome.code], {
        detail: outcome.message,
        ...(outcome.code === 'conflict' && outcome.hint !== '' && { hint: outcome.hint }),
        ...(outcome.code === 'conflict' && {
          errors: outcome.errors,
          conflicts: outcome.conflicts.map(toConflictingFile),
        }),
      });
  }
}
