import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../vault/index.ts';
import { entryColumns } from './journal-entry.ts';
import type { FoundFile, JournalEntry, Span } from './journal-entry.ts';
import { tellFound } from './tell-files.ts';
import type { UndoLinks } from './undo-links.ts';

/** What was edited outside, to be a transaction of its own. */
export type FoundEdits = {
  entry: JournalEntry;
  /** The transaction that met it, and so came later; null when none did. */
  precedes: string | null;
  /** How many files were lost with it, when that is worth a notice. */
  lost: number | null;
  files: readonly FoundFile[];
};

/** A transaction that took many files away at once, and that no person and no agent has made here. */
export type Loss = { id: string; at: number; files: number };

/** Edits made outside. They are found after they were made, perhaps after transactions that came later. */
export type ExternalEditStore = {
  /** A number that grows with every transaction. */
  newest(): number;
  /** Whether none has begun since it was this number, and none is being applied. */
  isStillAt(newest: number): boolean;
  /** Writes these down, durably; not if a number is given and the journal is no longer still at it: false. */
  addFound(found: readonly FoundEdits[], newest: number | null): boolean;
  /** What was edited outside in a transaction, or only in one file; nothing for all others. */
  foundOf(id: string, only?: VaultPath): FoundFile[];
  /** Of these times, newest first; without those that were taken back. */
  losses(span: Span): Loss[];
};

type Options = {
  flush: () => void;
  /** Throws when the database is no longer the one that the next start will find. */
  confirm: () => void;
  undoLinks: UndoLinks;
};

export function createExternalEditStore(
  database: Database,
  { flush, confirm, undoLinks }: Options,
): ExternalEditStore {
  const insertFound = database.prepare(
    `insert into transactions (${entryColumns}, precedes, lost_files)
     values (@id, @at, @origin, @summary, @state, (select seq from transactions where id = @precedes), @lost)`,
  );
  const insertFoundFile = database.prepare(
    `insert into changes (transaction_seq, position, path, after, found_before, kind, moved_from, lines_added, lines_removed)
     values (?, ?, ?, ?, ?, @kind, @from, @added, @removed)`,
  );
  const selectFound = database.prepare(
    `select path, nullif(found_before, '') as before, after from changes
     where transaction_seq = (select seq from transactions where id = @id) and (@only is null or path = @only)
       and found_before is not null order by position`,
  );
  const selectNewest = database.prepare('select max(seq) from transactions').pluck();
  const selectApplying = database.prepare(`select 1 from transactions where state = 'applying' limit 1`);
  const selectLosses = database.prepare(
    `select id, at, lost_files as files from transactions
     where lost_files is not null and at between @from and @to order by seq desc`,
  );
  const newest = (): number => Number(selectNewest.get() ?? 0);
  const isStillAt = (known: number): boolean => newest() === known && selectApplying.get() === undefined;
  const addFound = database.transaction((found: readonly FoundEdits[], known: number | null): boolean => {
    if (known !== null && !isStillAt(known)) return false;
    for (const { entry, precedes, lost, files } of found) {
      const { lastInsertRowid: seq } = insertFound.run({ ...entry, precedes, lost });
      const told = tellFound(files);
      for (const [position, { path, before, after }] of files.entries())
        insertFoundFile.run(seq, position, path, after, before ?? '', told[position]);
    }
    confirm();
    return true;
  });
  return {
    newest,
    isStillAt(known) {
      flush();
      return isStillAt(known);
    },
    addFound(found, known) {
      flush();
      return addFound.immediate(found, known);
    },
    foundOf: (id, only) => selectFound.all({ id, only: only ?? null }) as FoundFile[],
    losses: (span) =>
      (selectLosses.all(span) as Loss[]).filter(({ id }) => undoLinks.undoneBy(id) === undefined),
  };
}
