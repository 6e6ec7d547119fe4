import type { Reason } from '../contract/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';
import type { FileChange } from './change.ts';
import type { Taken } from './removal-accounting.ts';
import type { Removed } from './removed-text.ts';

/** What may be changed, and what a person has to see first. */
export type Policy = {
  /**
   * Why a file may not get this content (null: may not be deleted), or null when it may. `from` is where a file that is
   * moved comes from.
   */
  mayWrite: (
    path: VaultPath,
    after: Buffer | null,
    isNew: boolean,
    from: VaultPath | undefined,
    layout: Layout,
  ) => string | null;
  /**
   * Why a person should look at these changes before they are made, or null when nobody needs to. A link that was rewritten
   * because its file was moved is none of them.
   */
  mustHold: (
    changes: readonly FileChange[],
    /** What they take away, what the same connection took within the last hour, and where links were rewritten. */
    taking: { removed: readonly Removed[]; lately: Taken; relinked: readonly VaultPath[] },
    layout: Layout,
  ) => Reason | null;
  /** Who makes the changes: then they wait for approval. Null for the person, who is told to confirm. */
  connection: Connection | null;
};

/** What it takes away within an hour is counted together. */
export type Connection = {
  name: string;
  /** Whether it may take away what it wrote itself; an agent that writes down the words of others may not. */
  mayTakeBack: boolean;
  /** Files that are done with once the change is made. */
  isSpent?: (path: VaultPath) => boolean;
};
