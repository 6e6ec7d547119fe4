import type { Database } from 'better-sqlite3';
import { computeRevision } from '../vault/index.ts';
import type { Revision, VaultPath } from '../vault/index.ts';
import type { TimeRange } from './journal-entry.ts';
import type { RemovedText } from './removed-text.ts';
import type { UndoLinks } from './undo-links.ts';

/** A connection that made a transaction, and the text that the transaction removes. Not recorded for the user. */
export type Removal = {
  connection: string;
  removed: readonly RemovedText[];
  /** Files that contain only text that the connection wrote itself, both before and after the transaction. */
  own: ReadonlySet<VaultPath>;
};

/** The number of characters removed, and the number of files that were mostly removed. */
export type RemovalTotals = { characters: number; files: number };

/** Accounts for the text that connections remove. */
export type RemovalAccounting = {
  /** The text that a connection, or all local ones, removed in this time range, without held or undone transactions. */
  removedBy(connection: string, span: TimeRange): RemovalTotals;
  /** Whether a connection wrote the whole file in this time range, and this revision is what it wrote. */
  wroteWholeFile(connection: string, span: TimeRange, path: VaultPath, revision: Revision): boolean;
};

export function createRemovalAccounting(
  database: Database,
  flush: () => void,
  undoLinks: UndoLinks,
): RemovalAccounting {
  const isRecent = `at between @from and @to and state in ('applying', 'applied')`;
  const selectTaken = database.prepare(
    `select id, path, removed, lost, exists (select 1 from transactions as later where later.undoes = transactions.id and later.state in ('applying', 'applied')) as undone
     from changes join transactions on seq = transaction_seq where connection glob @connections and ${isRecent} and (removed > 0 or lost > 0)`,
  );
  // `cross join` makes SQLite start with the file, which has few changes, while the connection may have thousands.
  const selectOwn = database.prepare(
    `select 1 from changes cross join transactions on seq = transaction_seq
     where path = @path and own = @revision and connection = @connection and ${isRecent} limit 1`,
  );
  return {
    removedBy(connection, span) {
      flush();
      // A local client can reconnect at will, so all local connections share one limit.
      const connections = connection.startsWith('stdio ') ? 'stdio *' : connection;
      const rows = selectTaken.all({ connections, ...span }) as TakenRow[];
      const left = rows.filter(
        ({ id, path, undone }) => undone === 0 || !undoLinks.undonePaths(id).has(path),
      );
      return {
        characters: left.reduce((sum, { removed }) => sum + removed, 0),
        files: left.reduce((sum, { lost }) => sum + lost, 0),
      };
    },
    wroteWholeFile(connection, span, path, revision) {
      flush();
      return selectOwn.get({ connection, ...span, path, revision }) !== undefined;
    },
  };
}

type TakenRow = { id: string; path: VaultPath; removed: number; lost: number; undone: number };

/** The columns `removed`, `lost` and `own` for each file of a transaction. */
export function removalColumns(
  taking: Removal | undefined,
): (path: VaultPath, after: Buffer | null) => [removed: number, lost: 0 | 1, own: Revision | null] {
  const removed = new Map(taking?.removed.map((each) => [each.path, each]));
  return (path, after) => {
    const own = after !== null && taking?.own.has(path) === true ? computeRevision(after) : null;
    return [
      removed.get(path)?.removedCharacters ?? 0,
      removed.get(path)?.isMostlyRemoved === true ? 1 : 0,
      own,
    ];
  };
}
