import { reasonFor } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { readBytes } from './apply.ts';
import { afterOf, beforeOf, deepestFirst, fileChange, inverseOf, isEqual } from './change.ts';
import type { Approvals } from './approvals.ts';
import type { History } from './history.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { ConflictRule } from './merge.ts';
import type { Provenance } from './provenance.ts';
import type { Stamps } from './stamps.ts';
import type { TransactionStore } from './transaction-store.ts';
import type { UndoLinks } from './undo-links.ts';
import type { Writer, Written } from './writer.ts';

export type Undone =
  | Written
  | { kind: 'unknown' }
  | { kind: 'not-applied'; state: string }
  /** `by` is what took it back. */
  | { kind: 'undone-already'; by: string };

export type UndoOptions = {
  /** Only in this file. */
  path?: VaultPath | undefined;
  /** Where the same lines were edited since; nothing is written unless it is said. */
  onConflict?: ConflictRule | undefined;
  /** Who asks for it, when that is not the person: what others made is put aside until the person decides. */
  by?: Asking | undefined;
};

/** A program as history knows it: its connection, and what it calls itself. */
type Asking = { connection: string; origin: string };

type UndoParts = {
  journal: TransactionStore & Approvals & Provenance & UndoLinks;
  history: History;
  writer: Writer;
  stamps: Stamps;
  clock: Clock;
};

/**
 * Takes back what one transaction did, as a new transaction: its own lines return to what they were, edits made since
 * stay. Where both touched the same lines, nothing is written and the lines are shown, unless it is said which of them are to
 * stand. Folders that it made go once they are empty. One that was held is known by its own id, too, once it was approved.
 */
export async function undo(
  { journal, history, writer, stamps, clock }: UndoParts,
  id: string,
  { path: only, onConflict, by: asking }: UndoOptions = {},
): Promise<Undone> {
  const entry = findMade(journal, id);
  if (entry === undefined) return { kind: 'unknown' };
  if (entry.state !== 'applied') return { kind: 'not-applied', state: entry.state };
  const by = journal.undoneBy(entry.id, only);
  if (by !== undefined) return { kind: 'undone-already', by };
  const changes = await history.changesOf(entry.id, only);
  const inverse = changes.map((change) => ({
    ...inverseOf(change),
    // Exactly what it was when nothing came since; else it is a new text, with new stamps.
    finish: (bytes: Buffer, present: Buffer | null): Buffer =>
      isEqual(bytes, beforeOf(change)) ? bytes : stamps.set(change.path, present, bytes, clock()),
  }));
  // One that holds something else stays.
  const folders = journal
    .foldersOf(entry.id)
    .filter((path) => only === undefined || only.startsWith(`${path}/`));
  const emptied = deepestFirst(folders).map((path) => ({ kind: 'remove-folder' as const, path }));
  const wanted = [...inverse.toReversed(), ...emptied];
  const why = { origin: 'undo', summary: `undo ${entry.summary}`, undoes: entry.id, onConflict };
  if (asking === undefined || isOf(asking, entry, journal)) return writer.write(wanted, why);
  const reason = reasonFor('undoes-others', {});
  return { kind: 'held', id: await writer.hold(wanted, { ...why, origin: asking.origin }, reason), reason };
}

function isOf({ connection, origin }: Asking, entry: JournalEntry, journal: Provenance): boolean {
  return journal.connectionOf(entry.id) === connection && entry.origin === origin;
}

/** What was held and approved is known by its own id, and was made under another. */
function findMade(journal: TransactionStore & Approvals, id: string): JournalEntry | undefined {
  const named = journal.find(id);
  const made = named?.state === 'approved' ? journal.madeFor(named.id) : undefined;
  return made === undefined ? named : (journal.find(made) ?? named);
}

type RestoreParts = {
  root: VaultRoot;
  journal: TransactionStore & Approvals;
  history: History;
  writer: Writer;
};

/** Makes a file what it was right after a transaction, byte for byte, whatever came since. */
export async function restore(
  { root, journal, history, writer }: RestoreParts,
  id: string,
  path: VaultPath,
): Promise<Undone> {
  const entry = findMade(journal, id);
  if (entry === undefined) return { kind: 'unknown' };
  // What was never made stood in no file.
  if (entry.state !== 'applied') return { kind: 'not-applied', state: entry.state };
  const [change] = await history.changesOf(entry.id, path);
  if (change === undefined) return { kind: 'unknown' };
  const wanted = fileChange(path, readBytes(root, path), afterOf(change), change.mode);
  return writer.write(wanted === null ? [] : [wanted], {
    origin: 'restore',
    summary: `restore ${path} as of ${entry.id.slice(0, 8)}`,
  });
}
