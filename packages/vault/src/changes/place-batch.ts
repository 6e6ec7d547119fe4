import { randomUUID } from 'node:crypto';
import type { Clock } from '../contract/index.ts';
import { afterOf, beforeOf, isFileChange } from './change.ts';
import type { ExternalEditStore, FoundEdits } from './external-edit-store.ts';
import { isOfHistory } from './git-errors.ts';
import type { GitHistory } from './git-history.ts';
import { blobIdOf } from './git-objects.ts';
import { outsideOrigin, syncOrigin } from './journal-entry.ts';
import type { FoundFile, JournalEntry } from './journal-entry.ts';
import { describeEdits } from './outside-edits.ts';
import { placeOutsideEdits } from './place-outside-edits.ts';
import type { Missing, Placed, Recordable } from './place-outside-edits.ts';
import type { HistorySession } from './repository.ts';
import type { TransactionStore } from './transaction-store.ts';

/** Edits that no transaction has met, read when the journal was at this number. */
export type LooseEdits = { files: readonly FoundFile[]; newest: number; lost: number | null };

/** What goes into history together. */
export type Batch = {
  /** In the order in which they were made. */
  transactions: readonly { entry: JournalEntry; files: readonly Recordable[] }[];
  /** Edits made outside, each ahead of the transaction that met it; the journal has them by now. */
  edits: readonly FoundEdits[];
  /** Files that history should have had, each ahead of the transaction that it is missed for. */
  missing: readonly Missing[];
};

type Parts = HistorySession & { journal: TransactionStore & ExternalEditStore; clock: Clock };

/**
 * Finds where edits made outside stand among these transactions, and writes them into the journal. Where the journal has gone on since
 * the loose ones were read, they are left out and `isLoosePlaced` is false: they have to be read again.
 */
export async function placeBatch(
  { journal, git, grant, clock }: Parts,
  entries: readonly JournalEntry[],
  loose: LooseEdits | null,
): Promise<{ batch: Batch; isLoosePlaced: boolean }> {
  const transactions = entries.map((entry) => ({ entry, files: recordableFiles(entry, journal) }));
  const paths = new Set(transactions.flatMap(({ files }) => files.map(({ path }) => path)));
  const known = await git.blobIds([...paths]);
  const isUnknown = ({ path, before }: FoundFile): boolean => before !== null && !known.has(path);
  const isComplete = transactions.some(({ files }) => files.some(isUnknown)) && (await git.isComplete());
  const place = async (files: readonly FoundFile[], lost: number | null): Promise<Batch> => {
    const { found, missing } = placeOutsideEdits(transactions, files, known, isComplete);
    return { transactions, edits: await entriesFor(found, git, clock, lost), missing };
  };
  const all = await place(loose?.files ?? [], loose?.lost ?? null);
  grant.check();
  if (journal.addFound(all.edits, loose?.newest ?? null)) return { batch: all, isLoosePlaced: true };
  const withoutLoose = await place([], null);
  journal.addFound(withoutLoose.edits, null);
  return { batch: withoutLoose, isLoosePlaced: false };
}

/** What a transaction did to files, with what history needs to know of it. */
export function recordableFiles(
  { id }: JournalEntry,
  journal: TransactionStore & ExternalEditStore,
): Recordable[] {
  const changed = (journal.changesOf(id) ?? []).filter(isFileChange).map((change) => {
    const bytes = beforeOf(change);
    return {
      path: change.path,
      before: bytes === null ? null : blobIdOf(bytes),
      bytes,
      after: afterOf(change),
    };
  });
  return [...changed, ...journal.foundOf(id)];
}

/** An entry for each; what was lost is told of with the first. */
function entriesFor(
  placed: readonly Placed[],
  git: GitHistory,
  clock: Clock,
  lost: number | null,
): Promise<FoundEdits[]> {
  return Promise.all(
    placed.map(async ({ precedes, at, files }, index) => ({
      entry: outsideEntry(at ?? clock(), files),
      precedes,
      lost: index === 0 ? lost : null,
      files: await withStood(git, files),
    })),
  );
}

function outsideEntry(at: number, files: readonly FoundFile[]): JournalEntry {
  const origin = files.every(({ isBrought }) => isBrought === true) ? syncOrigin : outsideOrigin;
  return { id: randomUUID(), at, origin, summary: describeEdits(files), state: 'applied' };
}

/** With what stood in those that were edited; what is gone may be as much as all of a vault. */
async function withStood(git: GitHistory, files: readonly FoundFile[]): Promise<FoundFile[]> {
  const ids = files.flatMap(({ before, after }) => (before === null || after === null ? [] : [before]));
  if (ids.length === 0) return [...files];
  const contents = await readLeft(git, ids);
  return files.map((file) => ({ ...file, stood: contents.get(file.before ?? '') ?? null }));
}

/** What can be read of these; the rest was lost with a repository. */
export async function readLeft(git: GitHistory, ids: readonly string[]): Promise<Map<string, Buffer>> {
  try {
    return await git.contents(ids);
  } catch (error) {
    if (!isOfHistory(error)) throw error;
    if (ids.length === 1) return new Map();
    const half = Math.floor(ids.length / 2);
    return new Map([...(await readLeft(git, ids.slice(0, half))), ...(await readLeft(git, ids.slice(half)))]);
  }
}
