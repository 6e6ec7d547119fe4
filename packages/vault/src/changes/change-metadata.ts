import type { VaultPath } from '../vault/index.ts';
import type { RequestedFileChange } from './append-step.ts';
import { isFileChange } from './change.ts';
import type { FolderChange } from './change.ts';
import type { ConflictStrategy } from './merge-lines.ts';
import type { Removal } from './removal-accounting.ts';
import { toSingleLine } from './single-line.ts';
import type { NewJournalEntry } from './transaction-store.ts';

/** A change that a transaction requests. */
export type RequestedChange = RequestedFileChange | FolderChange;

/** Describes a transaction for the journal. The id is an idempotency key: the journal accepts each id once. */
export type ChangeMetadata = {
  id?: string | undefined;
  origin: string;
  summary: string;
  /** The id of the transaction that this one undoes. */
  undoesId?: string | undefined;
  /** Whether the transaction followed only from the user's own words; false unless that is known. */
  isUserAuthored?: boolean;
  /** The id of the held transaction that this one applies. */
  approvesId?: string;
  /** A digest of the tool call that makes the transaction, if there is one. */
  callDigest?: string | undefined;
  /** What to do where another program has changed the same lines since; by default nothing is written. */
  onConflict?: ConflictStrategy | undefined;
  /** Called after each file, to report the progress of a long transaction. */
  onFile?: (done: number, total: number) => void;
  /** Throws if the sender has lost access meanwhile. Called right before anything is written. */
  assertAllowed?: (() => void) | undefined;
  /** The text that the transaction removes, and the connection that makes it; not set for a transaction by the user. */
  removal?: Removal | undefined;
};

/** The journal entry of a transaction that is about to be applied. */
export function createJournalEntry(
  metadata: ChangeMetadata,
  id: string,
  at: number,
  requested: readonly RequestedChange[],
): NewJournalEntry {
  const { origin, summary, undoesId, approvesId, callDigest, isUserAuthored = false } = metadata;
  const moves = requested.flatMap((change): [VaultPath, VaultPath][] =>
    isFileChange(change) && change.from !== undefined ? [[change.path, change.from]] : [],
  );
  const labels = { origin: toSingleLine(origin), summary: toSingleLine(summary) };
  return {
    id,
    at,
    ...labels,
    undoes: undoesId,
    approves: approvesId,
    callDigest,
    isUserAuthored,
    moves: new Map(moves),
    state: 'applying',
  };
}
