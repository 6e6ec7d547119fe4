import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../vault/index.ts';
import { afterOf, beforeOf, fileChange, isFileChange } from './change.ts';
import type { Change, Mode } from './change.ts';

/**
 * `applying` until every file is as wanted, then `applied`; `reverted` when that met a conflict. `held` waits for a
 * person, who lets it be `applied` under an id of its own or has it `rejected`.
 */
type JournalState = 'applying' | 'applied' | 'reverted' | 'held' | 'approved' | 'rejected';

/** `undoes` is the transaction that this one takes back. */
export type JournalEntry = {
  id: string;
  at: number;
  origin: string;
  summary: string;
  state: JournalState;
  undoes?: string | null;
};

/**
 * Every change to the vault, written down durably before the first file is touched. It is what a start after a
 * crash completes, and what history and undo are made from.
 */
export type Journal = {
  /**
   * Returns once it would survive a power loss. An id that is there already is refused, unless that one was reverted.
   * Folders that are made come last: a change is found again by its position.
   */
  begin(entry: JournalEntry, changes: readonly Change[]): void;
  /** Not synced: losing this only means that the next start looks at the files again. */
  mark(id: string, state: JournalState): void;
  /** The same, but nobody waits for it: it is written with whatever comes next, in a moment at the latest. */
  markLater(id: string, state: JournalState): void;
  /** Writes what `markLater` left. */
  flush(): void;
  /** What was begun and not marked, oldest first. */
  unfinished(): JournalEntry[];
  /** By its id, or by the beginning of it when no other begins so. */
  find(id: string): JournalEntry | undefined;
  /** Newest first; of one file when a path is given. */
  list(options: {
    path?: VaultPath | undefined;
    state?: JournalState | undefined;
    limit: number;
  }): (JournalEntry & { paths: VaultPath[] })[];
  /** In the order in which they were begun. Null once history has them. */
  changesOf(id: string): Change[] | null;
  /** The folders that a transaction made. */
  foldersOf(id: string): VaultPath[];
  /** The files of a transaction that were taken back since, and stayed so. */
  takenBack(id: string): Set<VaultPath>;
  /** The permissions of a transaction's files; history does not keep them. */
  modesOf(id: string): Map<VaultPath, Mode>;
  /** Applied and not yet in history, oldest first. */
  unrecorded(limit: number): JournalEntry[];
  /** History has these: their bytes are no longer needed here. */
  setRecorded(ids: readonly string[]): void;
};

/** Numbered, in order, each run once; a database with more than these is newer than this program. */
export const journalMigrations = [
  `create table transactions (
     seq integer primary key autoincrement,
     id text not null unique,
     at integer not null,
     origin text not null,
     summary text not null,
     state text not null check (state in ('applying', 'applied', 'reverted', 'held', 'approved', 'rejected')),
     recorded integer not null default 0
   );
   create index unfinished on transactions (seq) where state = 'applying';
   create index unrecorded on transactions (seq) where state = 'applied' and recorded = 0;
   create table changes (
     transaction_seq integer not null references transactions (seq),
     position integer not null,
     path text not null,
     before blob,
     after blob,
     primary key (transaction_seq, position)
   ) without rowid;
   create index changed_paths on changes (path);`,
  'alter table changes add column mode integer',
] as const;

/** Came after those of others. */
export const laterJournalMigrations = [
  `alter table transactions add column undoes text;
   create index undoing on transactions (undoes) where undoes is not null;
   create table made_folders (
     transaction_seq integer not null references transactions (seq),
     path text not null,
     primary key (transaction_seq, path)
   ) without rowid;`,
] as const;

const entryColumns = 'id, at, origin, summary, state';

export function createJournal(database: Database): Journal {
  const insert = database.prepare(
    `insert into transactions (${entryColumns}, undoes) values (@id, @at, @origin, @summary, @state, @undoes)`,
  );
  const insertFolder = database.prepare('insert into made_folders values (?, ?)');
  const insertChange = database.prepare('insert into changes values (?, ?, ?, ?, ?, ?)');
  const setState = database.prepare('update transactions set state = ? where id = ?');
  const select = (where: string) => database.prepare(`select ${entryColumns} from transactions ${where}`);
  const selectLike = select(`where id like ? || '%' limit 2`);
  const selectUnfinished = select(`where state = 'applying' order by seq`);
  const selectUnrecorded = select(`where state = 'applied' and recorded = 0 order by seq limit ?`);
  const selectSome = select(
    `where (@state is null or state = @state) and (@path is null or seq in (select transaction_seq from changes where path = @path)) order by seq desc limit @limit`,
  );
  const selectRecorded = database.prepare('select recorded from transactions where id = ?').pluck();
  const ofTransaction =
    'from changes where transaction_seq = (select seq from transactions where id = ?) order by position';
  const selectChanges = database.prepare(`select path, before, after, mode ${ofTransaction}`);
  const selectModes = database.prepare(`select path, mode ${ofTransaction}`);
  const selectPaths = database.prepare(`select path ${ofTransaction}`).pluck();
  const selectFolders = database
    .prepare(
      'select path from made_folders where transaction_seq = (select seq from transactions where id = ?)',
    )
    .pluck();
  const selectUndoing = database
    .prepare(`select id from transactions where undoes = ? and state in ('applying', 'applied')`)
    .pluck();
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
  const marks = new Map<string, JournalState>();
  const writeMarks = (): void => {
    for (const [id, state] of marks) setState.run(state, id);
    marks.clear();
  };
  const begin: Journal['begin'] = (entry, changes) => {
    writeMarks();
    for (const forget of forgetReverted) forget.run(entry.id);
    const { lastInsertRowid: seq } = insert.run({ undoes: null, ...entry });
    for (const [position, change] of changes.entries()) {
      const { path } = change;
      if (isFileChange(change))
        insertChange.run(seq, position, path, beforeOf(change), afterOf(change), change.mode);
      else if (change.kind === 'make-folder') insertFolder.run(seq, path);
      else insertChange.run(seq, position, path, null, null, null);
    }
  };
  const foldersOf = (id: string): VaultPath[] => selectFolders.all(id) as VaultPath[];
  const beginTogether = database.transaction(begin);
  const setRecorded = database.transaction((ids: readonly string[]) => {
    for (const id of ids) {
      forgetBytes.run(id);
      record.run(id);
    }
  });
  const flush = (): void => {
    if (marks.size === 0) return;
    // Not OFF: a checkpoint that is not synced can cost the whole database when the power fails.
    database.pragma('synchronous = NORMAL');
    try {
      writeMarks();
    } finally {
      database.pragma('synchronous = FULL');
    }
  };
  const flushed = <Value>(work: () => Value): Value => {
    flush();
    return work();
  };
  return {
    begin: (entry, changes) => beginTogether.immediate(entry, changes),
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
    find(id) {
      flush();
      const found = /^[0-9a-f-]{4,36}$/.test(id) ? (selectLike.all(id) as JournalEntry[]) : [];
      return found.length === 1 ? found[0] : undefined;
    },
    list: ({ path, state, limit }) => {
      flush();
      return (selectSome.all({ path: path ?? null, state: state ?? null, limit }) as JournalEntry[]).map(
        (entry) => ({ ...entry, paths: selectPaths.all(entry.id) as VaultPath[] }),
      );
    },
    changesOf(id) {
      if (selectRecorded.get(id) === 1) return null;
      const rows = (selectChanges.all(id) as ChangeRow[]).map(changeFrom);
      return [...rows, ...foldersOf(id).map((path) => ({ kind: 'make-folder' as const, path }))];
    },
    foldersOf,
    takenBack,
    modesOf: (id) =>
      new Map(
        (selectModes.all(id) as { path: VaultPath; mode: Mode }[]).map(({ path, mode }) => [path, mode]),
      ),
    unrecorded: (limit) => flushed(() => selectUnrecorded.all(limit) as JournalEntry[]),
    setRecorded: (ids) => setRecorded.immediate(ids),
  };
}

type ChangeRow = { path: VaultPath; before: Buffer | null; after: Buffer | null; mode: Mode };

/** A row without content on either side stands for a folder that goes. */
function changeFrom({ path, before, after, mode }: ChangeRow): Change {
  return fileChange(path, before, after, mode) ?? { kind: 'remove-folder', path };
}
