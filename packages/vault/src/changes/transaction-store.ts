import type { Database } from 'better-sqlite3';
import { toStoredReason } from '../contract/index.ts';
import type { Reason } from '../contract/index.ts';
import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { prepareHeldCheck } from './approvals.ts';
import { afterOf, beforeOf, fileChange, isFileChange } from './change.ts';
import type { Change, Mode } from './change.ts';
import { entryColumns } from './journal-entry.ts';
import type { JournalEntry } from './journal-entry.ts';
import { removalColumns } from './removal-accounting.ts';
import type { Taking } from './removal-accounting.ts';
import { tellChanges, untold } from './tell-files.ts';
import type { CommitWithStates } from './transaction-states.ts';

/** What else is known of a transaction when it begins. */
export type Begun = JournalEntry & {
  /** The transaction that it takes back. */
  undoes?: string | undefined;
  /** The held transaction that it makes. */
  approves?: string | undefined;
  /** What the call of a tool asked for, if it was one: the same id may stand for nothing else. */
  call?: string | undefined;
  /** Whether only the person's own words have led to it. */
  isPersons?: boolean;
  /** Why it is held, if it is. */
  heldBecause?: Reason | undefined;
};

/** Transactions, and what each does to files. */
export type TransactionStore = {
  /**
   * Returns once it would survive a power loss. An id that is there already is refused, unless that one was reverted; so is
   * what makes a held transaction that is no longer held.
   * Folders that are made come last: a change is found again by its position.
   */
  begin(entry: Begun, changes: readonly Change[], taking?: Taking): Promise<void>;
  /** The newest of ours that was made or taken back. */
  latest(): JournalEntry | undefined;
  /** By its id, or by the beginning of it when no other begins so. */
  find(id: string): JournalEntry | undefined;
  /** How many were applied. */
  count(): number;
  /** In the order in which they were begun; only that of one file when a path is given. Null once history has them. */
  changesOf(id: string, only?: VaultPath): Change[] | null;
  pathsOf(id: string): VaultPath[];
  /** The folders that a transaction made. */
  foldersOf(id: string): VaultPath[];
  /** The permissions of a transaction's files; history does not keep them. */
  modesOf(id: string): Map<VaultPath, Mode>;
};

type Options = {
  flush: () => void;
  commitWithStates: CommitWithStates;
  /** Throws when the database is no longer the one that the next start will find. */
  confirm: () => void;
};

export function createTransactionStore(
  database: Database,
  { flush, commitWithStates, confirm }: Options,
): TransactionStore {
  const insert = prepareInsert(database);
  const begin = commitWithStates((entry: Begun, changes: readonly Change[], taking?: Taking) => {
    insert(entry, changes, taking);
    confirm();
  });
  const select = (where: string) => database.prepare(`select ${entryColumns} from transactions ${where}`);
  const selectOne = select('where id = ?');
  // Ranges, because LIKE reads the whole table. Callers may choose ids, also in upper case.
  const startsWith = (prefix: string): string => `id >= ${prefix} and id < ${prefix} || char(0x10ffff)`;
  const selectBeginning = select(
    `where ${['@typed', '@lower', '@upper'].map(startsWith).join(' or ')} limit 2`,
  );
  const selectLatest = select(
    `where state in ('applied', 'reverted')
       and not exists (select 1 from changes where transaction_seq = seq and found_before is not null)
     order by seq desc limit 1`,
  );
  const countApplied = database.prepare(`select count(*) from transactions where state = 'applied'`).pluck();
  const selectRecorded = database.prepare('select recorded from transactions where id = ?').pluck();
  const selectChanges = database.prepare(
    `select path, before, after, mode from changes
     where transaction_seq = (select seq from transactions where id = @id) and (@only is null or path = @only)
       and found_before is null order by position`,
  );
  const ofTransaction =
    'from changes where transaction_seq = (select seq from transactions where id = ?) order by position';
  const selectModes = database.prepare(`select path, mode ${ofTransaction}`);
  const selectPaths = database.prepare(`select path ${ofTransaction}`).pluck();
  const selectFolders = database
    .prepare(
      'select path from made_folders where transaction_seq = (select seq from transactions where id = ?)',
    )
    .pluck();
  const foldersOf = (id: string): VaultPath[] => selectFolders.all(id) as VaultPath[];
  return {
    begin: async (entry, changes, taking) => begin(entry, changes, taking),
    latest() {
      flush();
      return selectLatest.get() as JournalEntry | undefined;
    },
    find(id) {
      flush();
      const exact = selectOne.get(id) as JournalEntry | undefined;
      if (exact !== undefined) return exact;
      if (!/^[0-9a-f-]{4,36}$/i.test(id)) return undefined;
      const cases = { typed: id, lower: id.toLowerCase(), upper: id.toUpperCase() };
      const found = selectBeginning.all(cases) as JournalEntry[];
      return found.length === 1 ? found[0] : undefined;
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
        (selectModes.all(id) as { path: VaultPath; mode: Mode }[]).map(({ path, mode }) => [path, mode]),
      ),
  };
}

/** Writes the rows of a transaction, in place of one with the same id that was reverted. Called in a database transaction. */
function prepareInsert(
  database: Database,
): (entry: Begun, changes: readonly Change[], taking: Taking | undefined) => void {
  const isHeld = prepareHeldCheck(database);
  const forgetReverted = [
    'delete from changes where transaction_seq in',
    'delete from made_folders where transaction_seq in',
    'delete from transactions where seq in',
  ].map((sql) =>
    database.prepare(`${sql} (select seq from transactions where id = ? and state = 'reverted')`),
  );
  const insert = database.prepare(
    `insert into transactions (${entryColumns}, undoes, approves, call, is_persons, connection, held_because)
     values (@id, @at, @origin, @summary, @state, @undoes, @approves, @call, @isPersons, @connection, @heldBecause)`,
  );
  // Columns are named: SQLite reads a schema anew that another process has changed when a name is not in it, not when a count is wrong.
  const insertChange = database.prepare(
    `insert into changes (transaction_seq, position, path, before, after, mode, removed, lost, own, kind, moved_from, lines_added, lines_removed)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, @kind, @from, @added, @removed)`,
  );
  const insertFolder = database.prepare('insert into made_folders values (?, ?)');
  return (entry, changes, taking) => {
    for (const forget of forgetReverted) forget.run(entry.id);
    // Here, where nobody can come between: two may have approved it at once, or one has rejected it.
    if (entry.approves !== undefined && !isHeld(entry.approves))
      throw new VaultError('made-already', 'this change was approved or rejected already');
    const { lastInsertRowid: seq } = insert.run({
      undoes: null,
      approves: null,
      call: null,
      ...entry,
      heldBecause: entry.heldBecause === undefined ? null : JSON.stringify(toStoredReason(entry.heldBecause)),
      isPersons: entry.isPersons === true ? 1 : 0,
      connection: taking?.connection ?? null,
    });
    const tookFrom = removalColumns(taking);
    const told = tellChanges(changes);
    for (const [position, change] of changes.entries()) {
      const { path } = change;
      if (isFileChange(change)) {
        const [before, after] = [beforeOf(change), afterOf(change)];
        const took = tookFrom(path, after);
        insertChange.run(seq, position, path, before, after, change.mode, ...took, told.get(path));
      } else if (change.kind === 'make-folder') insertFolder.run(seq, path);
      else insertChange.run(seq, position, path, null, null, null, 0, 0, null, untold);
    }
  };
}

type ChangeRow = { path: VaultPath; before: Buffer | null; after: Buffer | null; mode: Mode };

/** A row without content on either side stands for a folder that goes. */
function changeFrom({ path, before, after, mode }: ChangeRow): Change {
  return fileChange(path, before, after, mode) ?? { kind: 'remove-folder', path };
}
