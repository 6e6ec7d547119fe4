import type { WriteResult } from '../changes/index.ts';
import type { PathError, Reason } from '../contract/index.ts';

type Conflicts = Extract<WriteResult, { kind: 'conflict' }>['files'];

/**
 * The outcome of a commit, an undo or a decision, with the texts that every interface shows. `note` is appended to the result of
 * the call; the text of a failure replaces it.
 */
export type CommitOutcome =
  /** `change` is the id of the change; null when there was nothing to write. */
  | { kind: 'applied'; change: string | null; note: string }
  | { kind: 'held'; change: string; reason: Reason; note: string }
  | CommitFailure;

export type CommitFailure = {
  kind: 'failed';
  code: 'needs-confirmation' | 'not-found' | 'expired' | 'wrong-state' | 'conflict';
  /** What happened. */
  message: string;
  /** What to do; empty when the message is sufficient. */
  hint: string;
  /** Message and hint, with the conflicting lines. */
  text: string;
  errors: PathError[];
  conflicts: Conflicts;
};
