import type { Database } from 'better-sqlite3';
import { revisionOf } from '../vault/index.ts';
import type { Revision, VaultPath } from '../vault/index.ts';
import type { Span } from './journal-entry.ts';
import type { Removed } from './removed-text.ts';
import type { UndoLinks } from './undo-links.ts';

/** Who made a transaction, when it was not the person, and what it took away with it. */
export type Taking = {
  connection: string;
  removed: readonly Removed[];
  /** Files in which nothing is left or taken but what the connection wrote itself. */
  own: ReadonlySet<VaultPath>;
};

/** Together: characters of text, and files. */
export type Taken = { characters: number; files: number };

/** How much connections take away. */
export type RemovalAccounting = {
  /** What a connection has taken away in this time; without what was held, or taken back again. */
  takenBy(connection: string, span: Span): Taken;
  /** Whether a connection itself has written all of a file in this time, and this is what it wrote. */
  isOwn(connection: string, span: Span, path: VaultPath, revision: Revision): boolean;
};

export function createRemovalAccounting(
  database: Database,
  flush: () => void,
  undoLinks: UndoLinks,
): RemovalAccounting {
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
  return {
    takenBy(connection, span) {
      flush();
      const rows = selectTaken.all({ connection, ...span }) as TakenRow[];
      const left = rows.filter(({ id, path, undone }) => undone === 0 || !undoLinks.takenBack(id).has(path));
      return {
        characters: left.reduce((sum, { removed }) => sum + removed, 0),
        files: left.reduce((sum, { lost }) => sum + lost, 0),
      };
    },
    isOwn(connection, span, path, revision) {
      flush();
      return selectOwn.get({ connection, ...span, path, revision }) !== undefined;
    },
  };
}

type TakenRow = { id: string; path: VaultPath; removed: number; lost: number; undone: number };

/** What is written down of each file of a transaction: the columns `removed`, `lost` and `own`. */
export function removalColumns(
  taking: Taking | undefined,
): (path: VaultPath, after: Buffer | null) => [removed: number, lost: 0 | 1, own: Revision | null] {
  const removed = new Map(taking?.removed.map((each) => [each.path, each]));
  return (path, after) => {
    const own = after !== null && taking?.own.has(path) === true ? revisionOf(after) : null;
    return [removed.get(path)?.removed ?? 0, removed.get(path)?.isLost === true ? 1 : 0, own];
  };
}
