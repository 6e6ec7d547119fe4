import type { Written } from '../changes/index.ts';
import type { PathError, Reason } from '../contract/index.ts';

type Conflicts = Extract<Written, { kind: 'conflict' }>['files'];

/**
 * What became of a commit, an undo or a decision, explained once for whoever has to tell of it. `note` is added to what
 * is said anyway; the text of a failure stands in its place.
 */
export type CommitOutcome =
  /** `change` is its id; null when there was nothing to write. */
  | { kind: 'made'; change: string | null; note: string }
  | { kind: 'held'; change: string; reason: Reason; note: string }
  | CommitFailure;

export type CommitFailure = {
  kind: 'failed';
  code: 'needs-confirmation' | 'not-found' | 'wrong-state' | 'conflict';
  /** What happened. */
  message: string;
  /** What to do; empty where the message says all. */
  mend: string;
  /** Both, with the lines that are in the way. */
  text: string;
  errors: PathError[];
  conflicts: Conflicts;
};
