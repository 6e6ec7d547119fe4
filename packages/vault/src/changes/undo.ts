import { formatReason } from '../contract/index.ts';
import type { Clock, Reason } from '../contract/index.ts';
import type { Layout, VaultPath, VaultRoot } from '../vault/index.ts';
import { readBytes } from './apply-file-change.ts';
import {
  contentAfter,
  contentBefore,
  sortDeepestFirst,
  createFileChange,
  invertChange,
  contentEquals,
} from './change.ts';
import type { Approvals } from './approvals.ts';
import type { FileChange } from './change.ts';
import type { WritePolicy } from './change-policy.ts';
import { computeRemoval } from './commit-staged.ts';
import type { ExpiredChanges } from './expired-changes.ts';
import type { History } from './history.ts';
import type { JoinedStamps } from './joined-stamps.ts';
import type { JournalQueries } from './journal-queries.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { ConflictStrategy } from './merge-lines.ts';
import type { Provenance } from './provenance.ts';
import { readJoinedChanges } from './read-joined-changes.ts';
import type { Removal } from './removal-accounting.ts';
import type { Stamper } from './stamps.ts';
import type { TransactionStore } from './transaction-store.ts';
import type { UndoLinks } from './undo-links.ts';
import type { ChangeMetadata } from './change-metadata.ts';
import type { Writer, WriteResult } from './writer.ts';

export type UndoResult =
  | WriteResult
  | { kind: 'not-found' }
  /** Retention has deleted the change. */
  | { kind: 'expired' }
  | { kind: 'not-applied'; state: string }
  /** `by` is the transaction that undid it. */
  | { kind: 'already-undone'; by: string };

export type UndoOptions = Pick<ChangeMetadata, 'assertAllowed'> & {
  /** Undo only the changes of this file. */
  path?: VaultPath | undefined;
  /** What to do where the same lines were edited since; by default nothing is written. */
  onConflict?: ConflictStrategy | undefined;
  /** The client that requests the undo, under the name `origin`; undefined for the user. */
  requestedBy?: Requester | undefined;
  /** The invited member who undoes the change, as the origin of their changes; undefined for the owner. */
  member?: string | undefined;
};

type Requester = { policy: WritePolicy; origin: string };

/** How long a client may undo its own changes without approval, in milliseconds. */
const ownUndoMs = 3_600_000;

/** What undoing needs of the journal. */
export type UndoJournal = TransactionStore &
  Approvals &
  Provenance &
  UndoLinks &
  ExpiredChanges &
  JoinedStamps &
  Pick<JournalQueries, 'movesOf'>;

type UndoDependencies = {
  journal: UndoJournal;
  history: History;
  writer: Writer;
  stamps: Stamper;
  clock: Clock;
  layout: () => Layout;
};

/**
 * Undoes a transaction with a new transaction: its lines return to their earlier state, later edits stay. If later
 * edits touched the same lines, nothing is written and the conflict is returned, unless `onConflict` says which lines
 * to keep. Folders that the undone transaction created are removed once they are empty. A held transaction that was
 * approved can also be given by its own id.
 *
 * An undo that a client requests is held for approval unless the client made the change itself, recently, and the undo
 * removes no more text than its policy allows.
 */
export async function undo(
  dependencies: UndoDependencies,
  id: string,
  { path: only, onConflict, requestedBy, member, assertAllowed }: UndoOptions = {},
): Promise<UndoResult> {
  const { journal, writer, stamps, clock } = dependencies;
  const entry = findApplied(journal, id);
  if (entry === undefined) return missingChange(journal, id);
  if (entry.state !== 'applied') return { kind: 'not-applied', state: entry.state };
  const by = journal.undoOf(entry.id, only);
  if (by !== undefined) return { kind: 'already-undone', by };
  const changes = await readJoinedChanges(dependencies, entry.id, only);
  const places = new Map([...journal.movesOf(entry.id)].map(([to, from]) => [from, to]));
  const inverse = changes.map((change) => ({
    ...invertChange(change),
    from: places.get(change.path),
    // Without later edits the exact old bytes are restored; otherwise the result is a new text with new stamps.
    finalize: (bytes: Buffer, current: Buffer | null): Buffer =>
      contentEquals(bytes, contentBefore(change))
        ? bytes
        : stamps.apply(change.path, current, bytes, clock()),
  }));
  // A folder that contains other files stays.
  const folders = journal
    .foldersOf(entry.id)
    .filter((path) => only === undefined || only.startsWith(`${path}/`));
  const emptied = sortDeepestFirst(folders).map((path) => ({ kind: 'remove-folder' as const, path }));
  const requested = [...inverse.toReversed(), ...emptied];
  const metadata = {
    origin: member ?? 'undo',
    summary: `undo ${entry.summary}`,
    undoesId: entry.id,
    onConflict,
    assertAllowed,
  };
  if (requestedBy === undefined) return writer.write(requested, metadata);
  const { policy, origin } = requestedBy;
  const { reason, removal } = await reviewUndo(dependencies, entry, inverse, policy);
  if (reason === null) return writer.write(requested, { ...metadata, removal });
  return {
    kind: 'held',
    id: await writer.holdForApproval(requested, { ...metadata, origin }, reason),
    reason,
  };
}

/** Why an undo by a client needs approval, or null; and the text that it removes, which counts as removed by the client. */
async function reviewUndo(
  { journal, writer, clock, layout: readLayout }: UndoDependencies,
  { id, at }: JournalEntry,
  inverse: readonly FileChange[],
  policy: WritePolicy,
): Promise<{ reason: Reason | null; removal?: Removal }> {
  const { connection } = policy;
  if (connection === null || journal.connectionOf(id) !== connection.name)
    return { reason: formatReason('undoes-others', {}) };
  if (Math.abs(clock() - at) > ownUndoMs) return { reason: formatReason('undoes-old', {}) };
  const layout = readLayout();
  const { removal, recent } = await computeRemoval(inverse, connection, writer, layout);
  const reason = policy.holdReason(inverse, { ...removal, recent, relinked: [] }, layout);
  // What an undo restores was there before, so it does not become the client's own text.
  return { reason, removal: { ...removal, own: new Set(), connection: connection.name } };
}

/** Why there is no transaction with this id. */
export function missingChange(journal: ExpiredChanges, id: string): UndoResult {
  return { kind: journal.findExpired(id) === undefined ? 'not-found' : 'expired' };
}

/** Maps the id of an approved transaction to the one that applied it. */
function findApplied(journal: TransactionStore & Approvals, id: string): JournalEntry | undefined {
  const named = journal.find(id);
  const made = named?.state === 'approved' ? journal.appliedIdOf(named.id) : undefined;
  return made === undefined ? named : (journal.find(made) ?? named);
}

type RestoreDependencies = {
  root: VaultRoot;
  journal: TransactionStore & Approvals & ExpiredChanges & JoinedStamps;
  history: History;
  writer: Writer;
};

/** Restores a file to its exact content right after a transaction, regardless of later edits. */
export async function restore(
  { root, journal, history, writer }: RestoreDependencies,
  id: string,
  path: VaultPath,
  { member, assertAllowed }: Pick<UndoOptions, 'member' | 'assertAllowed'> = {},
): Promise<UndoResult> {
  const entry = findApplied(journal, id);
  if (entry === undefined) return missingChange(journal, id);
  // A transaction that was never applied has no content to restore.
  if (entry.state !== 'applied') return { kind: 'not-applied', state: entry.state };
  const [change] = await readJoinedChanges({ journal, history }, entry.id, path);
  if (change === undefined) return { kind: 'not-found' };
  const requested = createFileChange(path, readBytes(root, path), contentAfter(change), change.mode);
  return writer.write(requested === null ? [] : [requested], {
    origin: member ?? 'restore',
    summary: `restore ${path} as of ${entry.id.slice(0, 8)}`,
    assertAllowed,
  });
}
