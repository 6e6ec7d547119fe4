import type { Database } from 'better-sqlite3';
import { toStoredReason } from '../contract/index.ts';
import type { Reason } from '../contract/index.ts';
import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { prepareHeldCheck } from './approvals.ts';
import { contentAfter, contentBefore, createFileChange, isFileChange } from './change.ts';
import type { Change, FilePermissions } from './change.ts';
import { entryColumns } from './journal-entry.ts';
import type { JournalEntry } from './journal-entry.ts';
import { removalColumns } from './removal-accounting.ts';
import type { Removal } from './removal-accounting.ts';
import { summarizeChanges, emptySummary } from './file-summaries.ts';
import type { CommitWithStates } from './transaction-states.ts';

/** A new journal entry, with the metadata that is known at its start. */
export type NewJournalEntry = JournalEntry & {
  /** The id of the transaction that it undoes. */
  undoes?: string | undefined;
  /** The id of the held transaction that it applies. */
  approves?: string | undefined;
  /** A digest of the tool call that made the transaction, if any: the same id must not be used for another call. */
  callDigest?: string | undefined;
  /** Whether it followed only from the user's own words. */
  isUserAuthored?: boolean;
  /** Why it is held, if it is. */
  heldBecause?: Reason | undefined;
  /** The old path of each file that it moves on purpose; other moves are recognized by the text of the files. */
  moves?: ReadonlyMap<VaultPath, VaultPath>;
};

/** Transactions and their changes. */
export type TransactionStore = {
  /**
   * Resolves when the entry is on disk. Rejects an id that exists (unless that transaction was reverted) and the
   * approval of a change that is no longer held. Created folders come last, because a change is identified by its
   * position.
   */
  append(entry: NewJournalEntry, changes: readonly Change[], removal?: Removal): Promise<void>;
  /** The newest applied or reverted transaction that was made by Keepsake, not by another program. */
  latest(): JournalEntry | undefined;
  /** Finds an entry by its id or by a unique prefix of it. */
  find(id: string): JournalEntry | undefined;
  /** The number of applied transactions. */
  count(): number;
  /** The changes of a transaction in their order, or those of one file. Null once history has them. */
  changesOf(id: string, only?: VaultPath): Change[] | null;
  pathsOf(id: string): VaultPath[];
  /** The folders that a transaction created. */
  foldersOf(id: string): VaultPath[];
  /** The permissions of a transaction's files, which history does not store. */
  modesOf(id: string): Map<VaultPath, FilePermissions>;
};

type Options = {
  flush: () => void;
  commitWithStates: CommitWithStates;
  /** Throws when the database file was replaced: the next start would not find what is written here. */
  assertNotReplaced: () => void;
};

export function createTransactionStore(
  database: Database,
  { flush, commitWithStates, assertNotReplaced }: Options,
): TransactionStore {
  const insert = prepareInsert(database);
  const appendEntry = commitWithStates(
    (entry: NewJournalEntry, changes: readonly Change[], removal?: Removal) => {
      insert(entry, changes, removal);
      assertNotReplaced();
    },
  );
  const selectEntries = `select ${entryColumns} from transactions`;
  const findEntry = createIdFinder(database, selectEntries);
  const selectLatest = database.prepare(
    `${selectEntries} where state in ('applied', 'reverted')
       and not exists (select 1 from changes where transaction_seq = seq and previous_blob_id is not null)
     order by seq desc limit 1`,
  );
  const countApplied = database.prepare(`select count(*) from transactions where state = 'applied'`).pluck();
  const selectRecorded = database.prepare('select recorded from transactions where id = ?').pluck();
  const selectChanges = database.prepare(
    `select path, before, after, mode from changes
     where transaction_seq = (select seq from transactions where id = @id) and (@only is null or path = @only)
       and previous_blob_id is null order by position`,
  );
  const fromChangesOf =
    'from changes where transaction_seq = (select seq from transactions where id = ?) order by position';
  const selectModes = database.prepare(`select path, mode ${fromChangesOf}`);
  const selectPaths = database.prepare(`select path ${fromChangesOf}`).pluck();
  const selectFolders = database
    .prepare(
      'select path from created_folders where transaction_seq = (select seq from transactions where id = ?)',
    )
    .pluck();
  const foldersOf = (id: string): VaultPath[] => selectFolders.all(id) as VaultPath[];
  return {
    append: async (entry, changes, removal) => appendEntry(entry, changes, removal),
    latest() {
      flush();
      return selectLatest.get() as JournalEntry | undefined;
    },
    find(id) {
      flush();
      return findEntry(id) as JournalEntry | undefined;
    },
    count() {
      flush();
      return Number(countApplied.get());
    },
    changesOf(id, only) {
      if (selectRecorded.get(id) === 1) return null;
      const rows = (selectChanges.all({ id, only: only ?? null }) as ChangeRow[]).map(changeFrom);
      if (only !== undefined) return rows;
      return [...rows, ...foldersOf(id).map((path) => ({ kind: 'make-folder' as const, path }))];
    },
    pathsOf: (id) => selectPaths.all(id) as VaultPath[],
    foldersOf,
    modesOf: (id) =>
      new Map(
        (selectModes.all(id) as { path: VaultPath; mode: FilePermissions }[]).map(({ path, mode }) => [
          path,
          mode,
        ]),
      ),
  };
}

/** Returns a function that finds a row of `select` by its column `id` or by a unique prefix of it; undefined if there is none. */
export function createIdFinder(database: Database, select: string): (id: string) => unknown {
  const selectOne = database.prepare(`${select} where id = ?`);
  // Uses ranges, because LIKE scans the whole table. Ids that callers choose may be in upper case.
  const startsWith = (prefix: string): string => `id >= ${prefix} and id < ${prefix} || char(0x10ffff)`;
  const selectBeginning = database.prepare(
    `${select} where ${['@typed', '@lower', '@upper'].map(startsWith).join(' or ')} limit 2`,
  );
  return (id) => {
    const exact = selectOne.get(id);
    if (exact !== undefined) return exact;
    if (!/^[0-9a-f-]{4,36}$/i.test(id)) return undefined;
    const cases = { typed: id, lower: id.toLowerCase(), upper: id.toUpperCase() };
    const found = selectBeginning.all(cases);
    return found.length === 1 ? found[0] : undefined;
  };
}

/** Inserts the rows of a transaction, replacing a reverted one with the same id. Called inside a database transaction. */
function prepareInsert(
  database: Database,
): (entry: NewJournalEntry, changes: readonly Change[], removal: Removal | undefined) => void {
  const isHeld = prepareHeldCheck(database);
  const deleteReverted = [
    'delete from changes where transaction_seq in',
    'delete from created_folders where transaction_seq in',
    'delete from transactions where seq in',
  ].map((sql) =>
    database.prepare(`${sql} (select seq from transactions where id = ? and state = 'reverted')`),
  );
  const insert = database.prepare(
    `insert into transactions (${entryColumns}, undoes, approves, call, is_user_authored, connection, hold_reason)
     values (@id, @at, @origin, @summary, @state, @undoes, @approves, @callDigest, @isUserAuthored, @connection, @heldBecause)`,
  );
  // Columns are named: SQLite reloads a schema that another process has changed when a name is unknown, but not when the
  // number of values is wrong.
  const insertChange = database.prepare(
    `insert into changes (transaction_seq, position, path, before, after, mode, removed, lost, own, kind, moved_from, lines_added, lines_removed)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, @kind, @from, @added, @removed)`,
  );
  const insertFolder = database.prepare('insert into created_folders values (?, ?)');
  return (entry, changes, removal) => {
    for (const forget of deleteReverted) forget.run(entry.id);
    // Checked inside the database transaction: two processes may approve the held change at the same time, or one may
    // reject it.
    if (entry.approves !== undefined && !isHeld(entry.approves))
      throw new VaultError('made-already', 'this change was already approved or rejected');
    const { moves = new Map(), ...columns } = entry;
    const { lastInsertRowid: seq } = insert.run({
      undoes: null,
      approves: null,
      callDigest: null,
      ...columns,
      heldBecause: entry.heldBecause === undefined ? null : JSON.stringify(toStoredReason(entry.heldBecause)),
      isUserAuthored: entry.isUserAuthored === true ? 1 : 0,
      connection: removal?.connection ?? null,
    });
    const removalOf = removalColumns(removal);
    const summaries = summarizeChanges(changes, moves);
    for (const [position, change] of changes.entries()) {
      const { path } = change;
      if (isFileChange(change)) {
        const [before, after] = [contentBefore(change), contentAfter(change)];
        const removed = removalOf(path, after);
        insertChange.run(seq, position, path, before, after, change.mode, ...removed, summaries.get(path));
      } else if (change.kind === 'make-folder') insertFolder.run(seq, path);
      else insertChange.run(seq, position, path, null, null, null, 0, 0, null, emptySummary);
    }
  };
}

type ChangeRow = { path: VaultPath; before: Buffer | null; after: Buffer | null; mode: FilePermissions };

/** A row without content on either side is a removed folder. */
function changeFrom({ path, before, after, mode }: ChangeRow): Change {
  return createFileChange(path, before, after, mode) ?? { kind: 'remove-folder', path };
}
