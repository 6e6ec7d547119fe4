import { randomUUID } from 'node:crypto';
import type { Clock } from '../contract/index.ts';
import { createYielder } from '../vault/index.ts';
import { contentAfter, contentBefore, isFileChange } from './change.ts';
import type { ExternalEditStore, ExternalEditEntry } from './external-edit-store.ts';
import { isRepositoryError } from './git-errors.ts';
import type { GitHistory } from './git-history.ts';
import { hashBlob } from './git-objects.ts';
import { externalOrigin, syncOrigin } from './journal-entry.ts';
import type { ExternalFileEdit, JournalEntry } from './journal-entry.ts';
import { describeEdits } from './external-edits.ts';
import { orderExternalEdits } from './order-external-edits.ts';
import type { Missing, Placed, Recordable } from './order-external-edits.ts';
import type { HistorySession } from './history-repository.ts';
import type { TransactionStore } from './transaction-store.ts';

/** External edits of files that no transaction has changed since, read when the journal had this sequence number. */
export type UnplacedEdits = { files: readonly ExternalFileEdit[]; sequence: number; lost: number | null };

/** Transactions and edits that are committed together. */
export type Batch = {
  /** In the order in which they were applied. */
  transactions: readonly { entry: JournalEntry; files: readonly Recordable[] }[];
  /**
   * External edits, placed before the transactions that changed the same files later; the journal already contains
   * them.
   */
  edits: readonly ExternalEditEntry[];
  /** Files missing from history, each placed before the transaction that needs it. */
  missing: readonly Missing[];
};

type Dependencies = HistorySession & { journal: TransactionStore & ExternalEditStore; clock: Clock };

/**
 * Determines where external edits belong among these transactions and appends them to the journal. If the journal has
 * changed since the unplaced edits were read, they are left out and `arePlaced` is false: the caller has to read them
 * again.
 */
export async function placeBatch(
  { journal, git, lease, clock }: Dependencies,
  entries: readonly JournalEntry[],
  unplaced: UnplacedEdits | null,
): Promise<{ batch: Batch; arePlaced: boolean }> {
  const pause = createYielder();
  const transactions: Batch['transactions'][number][] = [];
  for (const entry of entries) {
    transactions.push({ entry, files: recordableFiles(entry, journal) });
    await pause();
  }
  const paths = new Set(transactions.flatMap(({ files }) => files.map(({ path }) => path)));
  const known = await git.blobIds([...paths]);
  const isUnknown = ({ path, before }: ExternalFileEdit): boolean => before !== null && !known.has(path);
  const isComplete = transactions.some(({ files }) => files.some(isUnknown)) && (await git.hasFullBaseline());
  const place = async (files: readonly ExternalFileEdit[], lost: number | null): Promise<Batch> => {
    const { found, missing } = orderExternalEdits(transactions, files, known, isComplete);
    return { transactions, edits: await entriesFor(found, transactions, { git, clock }, lost), missing };
  };
  const all = await place(unplaced?.files ?? [], unplaced?.lost ?? null);
  lease.assertHeld();
  if (journal.appendExternalEdits(all.edits, unplaced?.sequence ?? null))
    return { batch: all, arePlaced: true };
  const withoutUnplaced = await place([], null);
  journal.appendExternalEdits(withoutUnplaced.edits, null);
  return { batch: withoutUnplaced, arePlaced: false };
}

/** The file changes of a transaction, in the form that history needs. */
export function recordableFiles(
  { id }: JournalEntry,
  journal: TransactionStore & ExternalEditStore,
): Recordable[] {
  const changed = (journal.changesOf(id) ?? []).filter(isFileChange).map((change) => {
    const bytes = contentBefore(change);
    return {
      path: change.path,
      before: bytes === null ? null : hashBlob(bytes),
      bytes,
      after: contentAfter(change),
    };
  });
  return [...changed, ...journal.externalEditsOf(id)];
}

/** Creates a journal entry for each group; a mass deletion is recorded with the first one. */
function entriesFor(
  placed: readonly Placed[],
  transactions: Batch['transactions'],
  { git, clock }: Pick<Dependencies, 'git' | 'clock'>,
  lost: number | null,
): Promise<ExternalEditEntry[]> {
  // An edit may follow a transaction that is not in git yet.
  const written = new Map(
    transactions.flatMap(({ files }) =>
      files.flatMap(({ after }) => (after === null ? [] : [[hashBlob(after), after]])),
    ),
  );
  return Promise.all(
    placed.map(async ({ precedes, at, files: found }, index) => {
      const files = await withPreviousContent(git, written, found);
      return { entry: outsideEntry(at ?? clock(), files), precedes, lost: index === 0 ? lost : null, files };
    }),
  );
}

function outsideEntry(at: number, files: readonly ExternalFileEdit[]): JournalEntry {
  const origin = files.every(({ wasSynced }) => wasSynced === true) ? syncOrigin : externalOrigin;
  return { id: randomUUID(), at, origin, summary: describeEdits(files), state: 'applied' };
}

/** Deleted files are compared with new ones only if they are few: together they may be as large as the whole vault. */
const maxDeletedContents = 20;

/** Adds the previous content of edited files, and of deleted files that may have been moved. */
async function withPreviousContent(
  git: GitHistory,
  written: ReadonlyMap<string, Buffer>,
  files: readonly ExternalFileEdit[],
): Promise<ExternalFileEdit[]> {
  const deleted = files.filter(({ after }) => after === null).length;
  const mayMove = deleted <= maxDeletedContents && files.some(({ before }) => before === null);
  const isNeeded = ({ after }: ExternalFileEdit): boolean => after !== null || mayMove;
  const ids = files.flatMap((file) => (isNeeded(file) ? (file.before ?? []) : []));
  const missing = ids.filter((id) => !written.has(id));
  const contents = missing.length === 0 ? null : await readAvailableBlobs(git, missing);
  return files.map((file) => {
    const id = isNeeded(file) ? (file.before ?? '') : '';
    return { ...file, previousContent: written.get(id) ?? contents?.get(id) ?? null };
  });
}

/** Reads the blobs that are readable; the others were lost with a damaged repository. */
export async function readAvailableBlobs(
  git: GitHistory,
  ids: readonly string[],
): Promise<Map<string, Buffer>> {
  try {
    return await git.contents(ids);
  } catch (error) {
    if (!isRepositoryError(error)) throw error;
    if (ids.length === 1) return new Map();
    const half = Math.floor(ids.length / 2);
    return new Map([
      ...(await readAvailableBlobs(git, ids.slice(0, half))),
      ...(await readAvailableBlobs(git, ids.slice(half))),
    ]);
  }
}
