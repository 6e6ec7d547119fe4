import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../vault/index.ts';
import { entryColumns } from './journal-entry.ts';
import type { ExternalFileEdit, JournalEntry, TimeRange } from './journal-entry.ts';
import { summarizeExternalEdits } from './file-summaries.ts';
import type { UndoLinks } from './undo-links.ts';

/** External edits that become a transaction of their own. */
export type ExternalEditEntry = {
  entry: JournalEntry;
  /** The first transaction that found the edits already made, so the edits precede it; null when there is none. */
  precedes: string | null;
  /** The number of deleted files, if they count as a mass deletion. */
  lost: number | null;
  files: readonly ExternalFileEdit[];
};

/** A transaction in which another program deleted many files at once. */
export type MassDeletion = { id: string; at: number; files: number };

/** External edits. They are detected after they were made, possibly after later transactions. */
export type ExternalEditStore = {
  /** A sequence number that grows with every transaction. */
  latestSequence(): number;
  /** Whether no transaction has begun since this sequence number, and none is being applied. */
  isUnchangedSince(sequence: number): boolean;
  /** Appends the edits durably. With a sequence number, does nothing and returns false if the journal has changed since. */
  appendExternalEdits(edits: readonly ExternalEditEntry[], sequence: number | null): boolean;
  /** The external edits of a transaction, or of one of its files; empty for all other transactions. */
  externalEditsOf(id: string, only?: VaultPath): ExternalFileEdit[];
  /** The mass deletions in this time range, newest first, without those that were undone. */
  massDeletions(span: TimeRange): MassDeletion[];
};

type Options = {
  flush: () => void;
  /** Throws when the database file was replaced: the next start would not find what is written here. */
  assertNotReplaced: () => void;
  undoLinks: UndoLinks;
};

export function createExternalEditStore(
  database: Database,
  { flush, assertNotReplaced, undoLinks }: Options,
): ExternalEditStore {
  const insertFound = database.prepare(
    `insert into transactions (${entryColumns}, precedes, mass_deleted_files)
     values (@id, @at, @origin, @summary, @state, (select seq from transactions where id = @precedes), @lost)`,
  );
  const insertFoundFile = database.prepare(
    `insert into changes (transaction_seq, position, path, after, previous_blob_id, kind, moved_from, lines_added, lines_removed)
     values (?, ?, ?, ?, ?, @kind, @from, @added, @removed)`,
  );
  const selectFound = database.prepare(
    `select path, nullif(previous_blob_id, '') as before, after from changes
     where transaction_seq = (select seq from transactions where id = @id) and (@only is null or path = @only)
       and previous_blob_id is not null order by position`,
  );
  const selectNewest = database.prepare('select max(seq) from transactions').pluck();
  const selectApplying = database.prepare(`select 1 from transactions where state = 'applying' limit 1`);
  const selectLosses = database.prepare(
    `select id, at, mass_deleted_files as files from transactions
     where mass_deleted_files is not null and at between @from and @to order by seq desc`,
  );
  const latestSequence = (): number => Number(selectNewest.get() ?? 0);
  const isUnchangedSince = (sequence: number): boolean =>
    latestSequence() === sequence && selectApplying.get() === undefined;
  const appendEdits = database.transaction(
    (edits: readonly ExternalEditEntry[], sequence: number | null): boolean => {
      if (sequence !== null && !isUnchangedSince(sequence)) return false;
      for (const { entry, precedes, lost, files } of edits) {
        const { lastInsertRowid: seq } = insertFound.run({ ...entry, precedes, lost });
        const summaries = summarizeExternalEdits(files);
        for (const [position, { path, before, after }] of files.entries())
          insertFoundFile.run(seq, position, path, after, before ?? '', summaries[position]);
      }
      assertNotReplaced();
      return true;
    },
  );
  return {
    latestSequence,
    isUnchangedSince(sequence) {
      flush();
      return isUnchangedSince(sequence);
    },
    appendExternalEdits(edits, sequence) {
      flush();
      return appendEdits.immediate(edits, sequence);
    },
    externalEditsOf: (id, only) => selectFound.all({ id, only: only ?? null }) as ExternalFileEdit[],
    massDeletions: (span) =>
      (selectLosses.all(span) as MassDeletion[]).filter(({ id }) => undoLinks.undoOf(id) === undefined),
  };
}
