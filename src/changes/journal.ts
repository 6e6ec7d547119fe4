import type { Database } from 'better-sqlite3';
import { parentPath, revisionOf, VaultError } from '../vault/index.ts';
import type { Revision, VaultPath } from '../vault/index.ts';
import { afterOf, beforeOf, fileChange, isFileChange } from './change.ts';
import type { Change, Mode } from './change.ts';
import type { FoundFile, JournalEntry, JournalState, Span } from './journal-entry.ts';
import { createListing } from './listing.ts';
import type { Listing } from './listing.ts';
import type { Removed } from './removed-text.ts';
import { tellChanges, tellFound, untold } from './tell-files.ts';

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
  heldBecause?: string | undefined;
};

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

/** Who made a transaction, when it was not the person, and what it took away with it. */
export type Taking = {
  connection: string;
  removed: readonly Removed[];
  /** Files in which nothing is left or taken but what the connection wrote itself. */
  own: ReadonlySet<VaultPath>;
};

/** Together: characters of text, and files. */
export type Taken = { characters: number; files: number };

/**
 * Every change to the vault, written down durably before the first file is touched. It is what a start after a
 * crash completes, and what history and undo are made from.
 */
export type Journal = Listing & {
  /**
   * Returns once it would survive a power loss. An id that is there already is refused, unless that one was reverted; so is
   * what makes a held transaction that is no longer held.
   * Folders that are made come last: a change is found again by its position.
   */
  begin(entry: Begun, changes: readonly Change[], taking?: Taking): Promise<void>;
  /** Writes down what a person says of a held transaction, as durably; false when that was said already. */
  decide(id: string, decision: Decision): Promise<boolean>;
  /** Not synced: losing this only means that the next start looks at the files again. */
  mark(id: string, state: JournalState): void;
  /** The same, but nobody waits for it: it is written with whatever comes next, in a moment at the latest. */
  markLater(id: string, state: JournalState): void;
  /** Writes what `markLater` left; durably, where something is done next that must not be found without it. */
  flush(how?: 'durably'): void;
  /** What was begun and not marked, oldest first. */
  unfinished(): JournalEntry[];
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
  /** Whether a held transaction still waits for a person; not if a crash came between its being made and the note of it. */
  isHeld(id: string): boolean;
  /** The transaction that was made when this held one was approved. */
  madeFor(id: string): string | undefined;
  /** What the call asked for that this transaction is of; null when it is of none. */
  callOf(id: string): string | null;
  /** Who made it, when it was not the person. */
  connectionOf(id: string): string | null;
  /** The files of a transaction that were taken back since, and stayed so. */
  takenBack(id: string): Set<VaultPath>;
  /** The transactions that only the person's own words have led to, and that changed this file; newest first. */
  personsFor(path: VaultPath): string[];
  /** What a connection has taken away in this time; without what was held, or taken back again. */
  takenBy(connection: string, span: Span): Taken;
  /** Whether a connection itself has written all of a file in this time, and this is what it wrote. */
  isOwn(connection: string, span: Span, path: VaultPath, revision: Revision): boolean;
  /** The transaction by which all of it was taken back, or all of it in one file; undefined when some of that stands. */
  undoneBy(id: string, path?: VaultPath): string | undefined;
  /** The transaction that this one takes back, or would; undefined when it is no undo. */
  undoneWith(id: string): string | undefined;
  /** The permissions of a transaction's files; history does not keep them. */
  modesOf(id: string): Map<VaultPath, Mode>;
  /** Applied and not yet in history, oldest first. */
  unrecorded(limit: number): JournalEntry[];
  /** History has these, in commits with these hashes: their bytes are no longer needed here. */
  setRecorded(recorded: readonly Located[]): void;
  /** The hash of a transaction's commit; null when it has none, or none that is known. */
  commitOf(id: string): string | null;
  /** In history since before hashes were kept, and not looked for yet. */
  unlocated(): JournalEntry[];
  /** Where those are; null for one that is not in history. */
  setLocated(located: readonly Located[]): void;
  /** The commits of all transactions that are in history. */
  commits(): string[];
  /** A number that grows with every transaction. */
  newest(): number;
  /** Whether none has begun since it was this number, and none is being applied. */
  isStillAt(newest: number): boolean;
  /** Writes these down, durably; not if a number is given and the journal is no longer still at it: false. */
  addFound(found: readonly FoundEdits[], newest: number | null): boolean;
  /** What was edited outside in a transaction, or only in one file; nothing for all others. */
  foundOf(id: string, only?: VaultPath): FoundFile[];
  /** The files of all transactions that are not in history, also of those that are being applied. */
  unrecordedPaths(): Set<VaultPath>;
  /** Of these times, newest first; without those that were taken back. */
  losses(span: Span): Loss[];
};

export type Decision = 'approved' | 'rejected';

export type Located = { id: string; commit: string | null };

/** Of edits that others made. */
export const outsideOrigin = 'outside';
/** Of what another machine wrote, and of changes that bring together what machines have made of a file. */
export const syncOrigin = 'sync';

/** As the hash of a commit that was looked for and is not there. */
const notInHistory = '';

const entryColumns = 'id, at, origin, summary, state';
const ofTransaction =
  'from changes where transaction_seq = (select seq from transactions where id = ?) order by position';
const oldestFirst = 'order by coalesce(precedes, seq), precedes is null, seq';

/** `confirm` throws when the database is no longer the one that the next start will find. */
export function createJournal(database: Database, confirm: () => void = () => undefined): Journal {
  const insert = database.prepare(
    `insert into transactions (${entryColumns}, undoes, approves, call, is_persons, connection, held_because)
     values (@id, @at, @origin, @summary, @state, @undoes, @approves, @call, @isPersons, @connection, @heldBecause)`,
  );
  const listing = createListing(database);
  const insertFolder = database.prepare('insert into made_folders values (?, ?)');
  // Columns are named: SQLite reads a schema anew that another process has changed when a name is not in it, not when a count is wrong.
  const insertChange = database.prepare(
    `insert into changes (transaction_seq, position, path, before, after, mode, removed, lost, own, kind, moved_from, lines_added, lines_removed)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, @kind, @from, @added, @removed)`,
  );
  const insertFound = database.prepare(
    `insert into transactions (${entryColumns}, precedes, lost_files)
     values (@id, @at, @origin, @summary, @state, (select seq from transactions where id = @precedes), @lost)`,
  );
  const insertFoundFile = database.prepare(
    `insert into changes (transaction_seq, position, path, after, found_before, kind, moved_from, lines_added, lines_removed)
     values (?, ?, ?, ?, ?, @kind, @from, @added, @removed)`,
  );
  const setState = database.prepare('update transactions set state = ? where id = ?');
  const select = (where: string) => database.prepare(`select ${entryColumns} from transactions ${where}`);
  const selectOne = select('where id = ?');
  // Ranges, because LIKE reads the whole table. Callers may choose ids, also in upper case.
  const startsWith = (prefix: string): string => `id >= ${prefix} and id < ${prefix} || char(0x10ffff)`;
  const selectBeginning = select(
    `where ${['@typed', '@lower', '@upper'].map(startsWith).join(' or ')} limit 2`,
  );
  const selectUnfinished = select(`where state = 'applying' order by seq`);
  const selectLatest = select(
    `where state in ('applied', 'reverted')
       and not exists (select 1 from changes where transaction_seq = seq and found_before is not null)
     order by seq desc limit 1`,
  );
  const selectUnrecorded = select(`where state = 'applied' and recorded = 0 ${oldestFirst} limit ?`);
  const selectPersons = database
    .prepare(
      'select id from transactions where is_persons = 1 and seq in (select transaction_seq from changes where path = ?) order by seq desc',
    )
    .pluck();
  const selectRecorded = database.prepare('select recorded from transactions where id = ?').pluck();
  const selectChanges = database.prepare(
    `select path, before, after, mode from changes
     where transaction_seq = (select seq from transactions where id = @id) and (@only is null or path = @only)
       and found_before is null order by position`,
  );
  const selectFound = database.prepare(
    `select path, nullif(found_before, '') as before, after from changes
     where transaction_seq = (select seq from transactions where id = @id) and (@only is null or path = @only)
       and found_before is not null order by position`,
  );
  const selectNewest = database.prepare('select max(seq) from transactions').pluck();
  const selectUnrecordedPaths = database
    .prepare(
      `select path from changes where transaction_seq in (
         select seq from transactions where state = 'applied' and recorded = 0
         union all select seq from transactions where state = 'applying')`,
    )
    .pluck();
  const selectLosses = database.prepare(
    `select id, at, lost_files as files from transactions
     where lost_files is not null and at between @from and @to order by seq desc`,
  );
  const selectModes = database.prepare(`select path, mode ${ofTransaction}`);
  const selectPaths = database.prepare(`select path ${ofTransaction}`).pluck();
  const selectFolders = database
    .prepare(
      'select path from made_folders where transaction_seq = (select seq from transactions where id = ?)',
    )
    .pluck();
  const selectUndoing = database
    .prepare(`select id from transactions where undoes = ? and state in ('applying', 'applied') order by seq`)
    .pluck();
  const selectMade = database
    .prepare(`select id from transactions where approves = ? and state in ('applying', 'applied')`)
    .pluck();
  const selectUndone = database.prepare('select undoes from transactions where id = ?').pluck();
  const selectConnection = database.prepare('select connection from transactions where id = ?').pluck();
  const isHeld = (id: string): boolean =>
    (selectOne.get(id) as JournalEntry | undefined)?.state === 'held' && selectMade.get(id) === undefined;
  const setDecision = database.prepare(`update transactions set state = ? where id = ? and state = 'held'`);
  const decide = database.transaction((id: string, decision: Decision): boolean => {
    const isDecided = (decision === 'approved' || isHeld(id)) && setDecision.run(decision, id).changes === 1;
    confirm();
    return isDecided;
  });
  const selectCall = database.prepare('select call from transactions where id = ?').pluck();
  const selectCommit = database.prepare('select commit_hash from transactions where id = ?').pluck();
  const selectUnlocated = select('where recorded = 1 and commit_hash is null order by seq');
  const selectCommits = database
    .prepare('select commit_hash from transactions where recorded = 1 and commit_hash != ?')
    .pluck();
  const countApplied = database.prepare(`select count(*) from transactions where state = 'applied'`).pluck();
  const takenBack = (id: string): Set<VaultPath> => {
    const own = new Set(selectPaths.all(id) as VaultPath[]);
    const paths = new Set<VaultPath>();
    for (const undoing of selectUndoing.all(id) as string[]) {
      const broughtBack = takenBack(undoing);
      for (const path of selectPaths.all(undoing) as VaultPath[])
        if (own.has(path) && !broughtBack.has(path)) paths.add(path);
    }
    return paths;
  };
  const lately = `connection = @connection and at between @from and @to and state in ('applying', 'applied')`;
  const selectTaken = database.prepare(
    `select id, path, removed, lost, exists (select 1 from transactions as later where later.undoes = transactions.id and later.state in ('applying', 'applied')) as undone
     from changes join transactions on seq = transaction_seq where ${lately} and (removed > 0 or lost > 0)`,
  );
  // The file first: it has few changes, the connection perhaps thousands.
  const selectOwn = database.prepare(
    `select 1 from changes cross join transactions on seq = transaction_seq
     where path = @path and own = @revision and ${lately} limit 1`,
  );
  const takenBy: Journal['takenBy'] = (connection, span) => {
    const rows = selectTaken.all({ connection, ...span }) as TakenRow[];
    const left = rows.filter(({ id, path, undone }) => undone === 0 || !takenBack(id).has(path));
    return {
      characters: left.reduce((sum, { removed }) => sum + removed, 0),
      files: left.reduce((sum, { lost }) => sum + lost, 0),
    };
  };
  const undoneBy = (id: string, only?: VaultPath): string | undefined => {
    const own = selectPaths.all(id) as VaultPath[];
    // A folder that went with its files is back when they are.
    const folders = new Set(own.map(parentPath));
    const paths = own.filter((path) => !folders.has(path) && (only === undefined || path === only));
    const back = takenBack(id);
    const undoing = selectUndoing.all(id) as string[];
    return paths.length > 0 && paths.every((path) => back.has(path)) ? undoing.at(-1) : undefined;
  };
  const forgetBytes = database.prepare(
    'update changes set before = null, after = null where transaction_seq = (select seq from transactions where id = ?)',
  );
  const forgetReverted = [
    'delete from changes where transaction_seq in',
    'delete from made_folders where transaction_seq in',
    'delete from transactions where seq in',
  ].map((sql) =>
    database.prepare(`${sql} (select seq from transactions where id = ? and state = 'reverted')`),
  );
  const record = database.prepare('update transactions set recorded = 1 where id = ?');
  const locate = database.prepare('update transactions set commit_hash = @commit where id = @id');
  const marks = new Map<string, JournalState>();
  const writeMarks = (): void => {
    for (const [id, state] of marks) setState.run(state, id);
  };
  const begin = (entry: Begun, changes: readonly Change[], taking?: Taking): void => {
    writeMarks();
    for (const forget of forgetReverted) forget.run(entry.id);
    // Here, where nobody can come between: two may have approved it at once, or one has rejected it.
    if (entry.approves !== undefined && !isHeld(entry.approves))
      throw new VaultError('made-already', 'this change was approved or rejected already');
    const { lastInsertRowid: seq } = insert.run({
      undoes: null,
      approves: null,
      call: null,
      ...entry,
      heldBecause: entry.heldBecause ?? null,
      isPersons: entry.isPersons === true ? 1 : 0,
      connection: taking?.connection ?? null,
    });
    const removed = new Map(taking?.removed.map((each) => [each.path, each]));
    const told = tellChanges(changes);
    for (const [position, change] of changes.entries()) {
      const { path } = change;
      if (isFileChange(change)) {
        const [before, after] = [beforeOf(change), afterOf(change)];
        const lost = removed.get(path)?.isLost === true ? 1 : 0;
        const own = after !== null && taking?.own.has(path) === true ? revisionOf(after) : null;
        const took = [removed.get(path)?.removed ?? 0, lost, own];
        insertChange.run(seq, position, path, before, after, change.mode, ...took, told.get(path));
      } else if (change.kind === 'make-folder') insertFolder.run(seq, path);
      else insertChange.run(seq, position, path, null, null, null, 0, 0, null, untold);
    }
    confirm();
  };
  const newest = (): number => Number(selectNewest.get() ?? 0);
  const isStillAt = (known: number): boolean => newest() === known && selectUnfinished.all().length === 0;
  const addFound = (found: readonly FoundEdits[], known: number | null): boolean => {
    if (known !== null && !isStillAt(known)) return false;
    for (const { entry, precedes, lost, files } of found) {
      const { lastInsertRowid: seq } = insertFound.run({ ...entry, precedes, lost });
      const told = tellFound(files);
      for (const [position, { path, before, after }] of files.entries())
        insertFoundFile.run(seq, position, path, after, before ?? '', told[position]);
    }
    confirm();
    return true;
  };
  const addFoundTogether = database.transaction(addFound);
  const foldersOf = (id: string): VaultPath[] => selectFolders.all(id) as VaultPath[];
  const beginTogether = database.transaction(begin);
  const setLocated = database.transaction((located: readonly Located[]) => {
    for (const { id, commit } of located) locate.run({ id, commit: commit ?? notInHistory });
  });
  const setRecorded = database.transaction((recorded: readonly Located[]) => {
    for (const { id } of recorded) {
      forgetBytes.run(id);
      record.run(id);
    }
    setLocated(recorded);
  });
  const flush = (how?: 'durably'): void => {
    if (marks.size === 0) return;
    // Not OFF: a checkpoint that is not synced can cost the whole database when the power fails.
    if (how !== 'durably') database.pragma('synchronous = NORMAL');
    try {
      writeMarks();
      marks.clear();
    } finally {
      database.pragma('synchronous = FULL');
    }
  };
  const flushed = <Value>(work: () => Value): Value => {
    flush();
    return work();
  };
  return {
    async begin(entry, changes, taking) {
      beginTogether.immediate(entry, changes, taking);
      marks.clear();
    },
    decide: async (id, decision) => flushed(() => decide.immediate(id, decision)),
    mark(id, state) {
      marks.set(id, state);
      flush();
    },
    markLater(id, state) {
      marks.set(id, state);
      setImmediate(() => {
        try {
          flush();
        } catch {
          // Closed or failing: the next start looks at the files instead.
        }
      });
    },
    flush,
    unfinished: () => (selectUnfinished.all() as JournalEntry[]).filter(({ id }) => !marks.has(id)),
    latest: () => flushed(() => selectLatest.get() as JournalEntry | undefined),
    find(id) {
      flush();
      const exact = selectOne.get(id) as JournalEntry | undefined;
      if (exact !== undefined) return exact;
      if (!/^[0-9a-f-]{4,36}$/i.test(id)) return undefined;
      const cases = { typed: id, lower: id.toLowerCase(), upper: id.toUpperCase() };
      const found = selectBeginning.all(cases) as JournalEntry[];
      return found.length === 1 ? found[0] : undefined;
    },
    list: (which) => flushed(() => listing.list(which)),
    counts: (spans) => flushed(() => listing.counts(spans)),
    growth: (spans) => flushed(() => listing.growth(spans)),
    count: () => flushed(() => Number(countApplied.get())),
    changesOf(id, only) {
      if (selectRecorded.get(id) === 1) return null;
      const rows = (selectChanges.all({ id, only: only ?? null }) as ChangeRow[]).map(changeFrom);
      if (only !== undefined) return rows;
      return [...rows, ...foldersOf(id).map((path) => ({ kind: 'make-folder' as const, path }))];
    },
    pathsOf: (id) => selectPaths.all(id) as VaultPath[],
    foldersOf,
    isHeld: (id) => flushed(() => isHeld(id)),
    madeFor: (id) => selectMade.get(id) as string | undefined,
    connectionOf: (id) => (selectConnection.get(id) as string | null | undefined) ?? null,
    callOf: (id) => (selectCall.get(id) as string | null | undefined) ?? null,
    takenBack,
    personsFor: (path) => selectPersons.all(path) as string[],
    takenBy: (connection, span) => flushed(() => takenBy(connection, span)),
    isOwn: (connection, span, path, revision) =>
      flushed(() => selectOwn.get({ connection, ...span, path, revision }) !== undefined),
    undoneBy,
    undoneWith: (id) => (selectUndone.get(id) as string | null | undefined) ?? undefined,
    modesOf: (id) =>
      new Map(
        (selectModes.all(id) as { path: VaultPath; mode: Mode }[]).map(({ path, mode }) => [path, mode]),
      ),
    unrecorded: (limit) => flushed(() => selectUnrecorded.all(limit) as JournalEntry[]),
    setRecorded: (recorded) => setRecorded.immediate(recorded),
    commitOf: (id) => (selectCommit.get(id) as string | null | undefined) || null,
    unlocated: () => selectUnlocated.all() as JournalEntry[],
    setLocated: (located) => setLocated.immediate(located),
    commits: () => selectCommits.all(notInHistory) as string[],
    newest,
    isStillAt: (known) => flushed(() => isStillAt(known)),
    addFound: (found, known) => flushed(() => addFoundTogether.immediate(found, known)),
    foundOf: (id, only) => selectFound.all({ id, only: only ?? null }) as FoundFile[],
    unrecordedPaths: () => flushed(() => new Set(selectUnrecordedPaths.all() as VaultPath[])),
    losses: (span) => (selectLosses.all(span) as Loss[]).filter(({ id }) => undoneBy(id) === undefined),
  };
}

type TakenRow = { id: string; path: VaultPath; removed: number; lost: number; undone: number };
type ChangeRow = { path: VaultPath; before: Buffer | null; after: Buffer | null; mode: Mode };

/** A row without content on either side stands for a folder that goes. */
function changeFrom({ path, before, after, mode }: ChangeRow): Change {
  return fileChange(path, before, after, mode) ?? { kind: 'remove-folder', path };
}
