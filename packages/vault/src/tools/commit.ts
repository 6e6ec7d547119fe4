import type { Reason } from '../contract/index.ts';
import { createYielder } from '../vault/index.ts';
import type { UndoResult, ChangeMetadata } from '../changes/index.ts';
import type { CommitFailure, CommitOutcome } from './commit-outcome.ts';
import { formatPathError } from './define-tool.ts';
import type { ToolOutcome, WriteTool } from './define-tool.ts';
import type { WriteRun } from './run.ts';
import { formatConflict } from './format-conflict.ts';

/** Commits the staged changes of a run atomically. `isConfirmed` means that a person has confirmed a large removal. */
export async function commit(
  { transaction }: WriteRun,
  why: ChangeMetadata,
  isConfirmed = false,
): Promise<CommitOutcome> {
  return describeOutcome(await transaction.commit(why, isConfirmed));
}

/** Origin and preconditions of a call. */
type CallContext = {
  origin: string;
  id?: string | undefined;
  /** Digest of the call, which detects an id that is reused for a different call. */
  callDigest?: string | undefined;
  isConfirmed?: boolean | undefined;
  assertAllowed?: ChangeMetadata['assertAllowed'];
  /** Whether the staged change is based on the revision that the caller expects; otherwise nothing is written. */
  hasExpectedBase?: (() => boolean) | undefined;
};

const maxCommitAttempts = 3;

/** Calls a tool and commits its staged changes. On a conflict with a concurrent change, calls the tool again on the new content. */
export async function callAndCommit(
  tool: WriteTool,
  input: unknown,
  run: WriteRun,
  { isConfirmed, hasExpectedBase = () => true, ...metadata }: CallContext,
): Promise<ToolOutcome> {
  const pause = createYielder();
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tool.call(input, run);
    await pause();
    if (outcome.kind === 'refused' || outcome.result.value.errors.length > 0) return outcome;
    if (!hasExpectedBase()) return toFailedOutcome(staleReadFailure);
    const summary = outcome.result.text.split('\n')[0] ?? tool.name;
    const committed = await commit(run, { ...metadata, summary }, isConfirmed);
    const isOvertaken = committed.kind === 'failed' && committed.code === 'conflict';
    if (!isOvertaken || attempt === maxCommitAttempts) return attachCommit(outcome, committed);
    run.transaction.unstage([...run.transaction.staged().keys(), ...run.transaction.removedFolders()]);
  }
}

/** Describes the outcome for people and models. `conflictHint` tells the caller how to resolve conflicts. */
export function describeOutcome(outcome: UndoResult, conflictHint?: string): CommitOutcome {
  switch (outcome.kind) {
    case 'written':
      return {
        kind: 'applied',
        change: outcome.id,
        note: outcome.warnings.map((warning) => `warning: ${warning}`).join('\n'),
      };
    case 'unchanged':
      return { kind: 'applied', change: null, note: '' };
    case 'held':
      return {
        kind: 'held',
        change: outcome.id,
        reason: outcome.reason,
        note: formatHeldNote(outcome.id, outcome.reason),
      };
    case 'needs-confirmation':
      return failure('needs-confirmation', `${outcome.reason.text}; nothing was written`, {
        hint: 'to do it anyway, repeat with --force',
      });
    case 'not-found':
      return failure('not-found', 'change not found', { hint: 'run keepsake history' });
    case 'expired':
      return failure('expired', 'this change is older than what is kept', {
        hint: 'see keepsake config retention',
      });
    case 'not-applied':
      return failure('wrong-state', `the change is ${outcome.state}, so there is nothing to do`);
    case 'already-undone':
      return failure('wrong-state', `already undone by ${outcome.by.slice(0, 8)}`, {
        hint: `to redo it: keepsake undo ${outcome.by.slice(0, 8)}`,
      });
    case 'conflict': {
      const { text: message, errors } = formatConflict(outcome.files, conflictHint !== undefined);
      const text = conflictHint === undefined ? message : `${message}\n\n${conflictHint}`;
      return {
        ...failure('conflict', message),
        hint: conflictHint ?? '',
        text,
        errors,
        conflicts: outcome.files,
      };
    }
  }
}

export function formatHeldNote(id: string, reason: Reason): string {
  return `held for approval, nothing written: ${reason.text}. To approve: keepsake approve ${id}`;
}

/** Converts a failure to a tool outcome, which replaces the result of the tool. */
export function toFailedOutcome(failed: CommitFailure): ToolOutcome {
  const { text, errors } = failed;
  return { kind: 'result', result: { text, images: [], value: { errors } }, commit: failed };
}

const staleReadFailure = failure('conflict', 'the file changed after it was read; nothing was written', {
  hint: 'read it again',
});

function attachCommit(
  outcome: Extract<ToolOutcome, { kind: 'result' }>,
  committed: CommitOutcome,
): ToolOutcome {
  if (committed.kind === 'failed') return toFailedOutcome(committed);
  const { text, value } = outcome.result;
  if (committed.kind === 'held') {
    // The changes that the tool reports have not happened.
    const unchanged = { ...value, changes: [] };
    return {
      kind: 'result',
      result: { text: committed.note, images: [], value: unchanged },
      commit: committed,
    };
  }
  const whole = committed.note === '' ? text : `${text}\n\n${committed.note}`;
  return { kind: 'result', result: { ...outcome.result, text: whole }, commit: committed };
}

function failure(code: CommitFailure['code'], message: string, { hint = '' } = {}): CommitFailure {
  const error = { path: '', message: hint === '' ? message : `${message}; ${hint}` };
  return {
    kind: 'failed',
    code,
    message,
    hint,
    text: formatPathError(error),
    errors: [error],
    conflicts: [],
  };
}
