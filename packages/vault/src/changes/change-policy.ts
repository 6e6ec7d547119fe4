import type { Reason } from '../contract/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';
import type { FileChange } from './change.ts';
import type { RemovalTotals } from './removal-accounting.ts';
import type { RemovedText } from './removed-text.ts';

/** Decides which changes are allowed and which need approval. */
export type WritePolicy = {
  /**
   * Why a file must not get the content `after`, or must not be deleted if `after` is null; null if the change is
   * allowed. `from` is the old path of a moved file.
   */
  writeProblem: (
    path: VaultPath,
    after: Buffer | null,
    isNew: boolean,
    from: VaultPath | undefined,
    layout: Layout,
  ) => string | null;
  /**
   * Why the user has to approve these changes first, or null when no approval is needed. Links that were rewritten because
   * their target was moved do not count.
   */
  holdReason: (
    changes: readonly FileChange[],
    /**
     * The text that the changes remove, the amounts that the same connection removed in the last hour, and the files in
     * which only links were rewritten.
     */
    taking: { removed: readonly RemovedText[]; recent: RemovalTotals; relinked: readonly VaultPath[] },
    layout: Layout,
  ) => Reason | null;
  /**
   * The connection that makes the changes, which are held if they need approval. Null for the user, who is asked to
   * confirm them instead.
   */
  connection: Connection | null;
};

/** A client or agent that changes files. The text that it removes within an hour is added up. */
export type Connection = {
  name: string;
  /** Whether it may remove its own text without limit; an agent may not, because it records the words of others. */
  mayRemoveOwnText: boolean;
  /** Whether a file is no longer needed after the change, so that its text does not count as removed. */
  isDisposable?: (path: VaultPath) => boolean;
};
