import type { Reason } from '../contract/index.ts';
import type { Undone, Why } from '../changes/index.ts';
import type { CommitFailure, CommitOutcome } from './commit-outcome.ts';
import { errorLine } from './define-tool.ts';
import type { ToolOutcome, WriteTool } from './define-tool.ts';
import type { WriteRun } from './run.ts';
import { showConflict } from './show-conflict.ts';

/** Makes what a run has staged, all of it or nothing. `isConfirmed` when a person has agreed to a change that removes much. */
export async function commit(
  { transaction }: WriteRun,
  why: Why,
  isConfirmed = false,
): Promise<CommitOutcome> {
  return explainOutcome(await transaction.commit(why, isConfirmed));
}

/** Where a call comes from, and what it may do. */
type Calling = {
  origin: string;
  id?: string | undefined;
  /** What is asked for, so that the same id again cannot stand for something else. */
  call?: string | undefined;
  isConfirmed?: boolean | undefined;
  /** Whether what the call has staged is based on what the caller knows; else nothing is written. */
  isBasedAsKnown?: (() => boolean) | undefined;
};

const mostAttempts = 3;

/** Calls a tool, and commits what it staged at once. When somebody was faster, the tool looks again at what is there now. */
export async function callAndCommit(
  tool: WriteTool,
  input: unknown,
  run: WriteRun,
  { origin, id, call, isConfirmed, isBasedAsKnown = () => true }: Calling,
): Promise<ToolOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tool.call(input, run);
    if (outcome.kind === 'refused' || outcome.result.value.errors.length > 0) return outcome;
    if (!isBasedAsKnown()) return failedOutcome(changedSince);
    const summary = outcome.result.text.split('\n')[0] ?? tool.name;
    const committed = await commit(run, { id, origin, summary, call }, isConfirmed);
    const isOvertaken = committed.kind === 'failed' && committed.code === 'conflict';
    if (!isOvertaken || attempt === mostAttempts) return withCommit(outcome, committed);
    run.transaction.drop([...run.transaction.staged().keys(), ...run.transaction.removedFolders()]);
  }
}

/** `wayOn` is what to do about a conflict, for whoever can decide which of the lines are to stand. */
export function explainOutcome(outcome: Undone, wayOn?: string): CommitOutcome {
  switch (outcome.kind) {
    case 'written':
      return {
        kind: 'made',
        change: outcome.id,
        note: outcome.warnings.map((warning) => `warning: ${warning}`).join('\n'),
      };
    case 'nothing':
      return { kind: 'made', change: null, note: '' };
    case 'held':
      return {
        kind: 'held',
        change: outcome.id,
        reason: outcome.reason,
        note: heldNote(outcome.id, outcome.reason),
      };
    case 'unconfirmed':
      return failure('needs-confirmation', `${outcome.reason.text}; nothing was written`, {
        mend: 'if that is meant, run it again with --force',
      });
    case 'unknown':
      return failure('not-found', 'there is no such change', { mend: 'see: keepsake history' });
    case 'not-applied':
      return failure('wrong-state', `the change is ${outcome.state}, so there is nothing to do`);
    case 'undone-already':
      return failure('wrong-state', `it was taken back already, by ${outcome.by.slice(0, 8)}`, {
        mend: `to have it again: keepsake undo ${outcome.by.slice(0, 8)}`,
      });
    case 'conflict': {
      const { text: message, errors } = showConflict(outcome.files, wayOn !== undefined);
      const text = wayOn === undefined ? message : `${message}\n\n${wayOn}`;
      return { ...failure('conflict', message), mend: wayOn ?? '', text, errors, conflicts: outcome.files };
    }
  }
}

export function heldNote(id: string, reason: Reason): string {
  return `held, nothing is written yet: ${reason.text}. A person decides: keepsake approve ${id}`;
}

/** A failure as the result of a call: what the tool had said before is not true. */
export function failedOutcome(failed: CommitFailure): ToolOutcome {
  const { text, errors } = failed;
  return { kind: 'result', result: { text, images: [], value: { errors } }, commit: failed };
}

const changedSince = failure('conflict', 'it changed since it was read; nothing was written', {
  mend: 'read it again',
});

function withCommit(
  outcome: Extract<ToolOutcome, { kind: 'result' }>,
  committed: CommitOutcome,
): ToolOutcome {
  if (committed.kind === 'failed') return failedOutcome(committed);
  const { text, value } = outcome.result;
  if (committed.kind === 'held') {
    // Nothing of what the tool says has happened.
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

function failure(code: CommitFailure['code'], message: string, { mend = '' } = {}): CommitFailure {
  const error = { path: '', message: mend === '' ? message : `${message}; ${mend}` };
  return { kind: 'failed', code, message, mend, text: errorLine(error), errors: [error], conflicts: [] };
}
