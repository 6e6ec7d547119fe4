import { fromStoredReason } from '../contract/index.ts';
import type { Database } from 'better-sqlite3';
import type { Reason, Who } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { JournalEntry, JournalState, TimeRange } from './journal-entry.ts';
import type { FileSummary } from './file-summaries.ts';
import { resolveAuthor } from './author.ts';
import type { AuthorRow } from './author.ts';
import { isJoinedStamp } from './joined-stamps.ts';

/** A filter for transactions; a transaction has to match all given conditions. */
export type JournalFilter = {
  path?: VaultPath | undefined;
  /** Matches transactions that changed a file in this folder. */
  folder?: VaultPath | undefined;
  /** Matches transactions with a file change of this kind. */
  kind?: FileSummary['kind'] | undefined;
  who?: { kind: Who['kind']; name?: string | undefined } | undefined;
  state?: JournalState | undefined;
  /** Leaves out transactions that only stamped files after external edits; the user sees both as one change. */
  joinsStamps?: boolean;
  span?: TimeRange | undefined;
  /** Only transactions that come after this one in the list, given by its id. */
  after?: string | undefined;
};

/** A file of a transaction; `kind` is null for a folder, and for changes recorded before summaries existed. */
type ListedFile = { path: VaultPath } & (
  | { kind: null; from: null; added: null; removed: null }
  | FileSummary
);

export type ListedEntry = JournalEntry & {
  paths: VaultPath[];
  files: ListedFile[];
  who: Who;
  /** The summary if a model wrote it; null for summaries that Keepsake generated. */
  said: string | null;
  /** The transaction that it undoes. */
  undoes: { id: string; said: string | null } | null;
  /** The held transaction that it applies. */
  approves: string | null;
  /** Why it was held, if it was. */
  heldBecause: Reason | null;
};

/** The number of transactions of one author in a time range; `span` is the index of the range in the request. */
type AuthorCount = { span: number; who: Who; changes: number };
type NoteCountDelta = { span: number; notes: number };

/** A file that got another path. */
export type Move = { from: VaultPath; to: VaultPath };

/** Queries over many transactions. */
export type JournalQueries = {
  /** Newest first. */
  list(filter: JournalFilter & { limit: number }): ListedEntry[];
  /** The number of transactions that `list` returns without a limit. */
  countListed(filter: JournalFilter): number;
  /** The paths of a transaction's files, then and after later moves. */
  laterPaths(id: string): VaultPath[];
  /** The old path of each file that a transaction moved. */
  movesOf(id: string): Map<VaultPath, VaultPath>;
  /** The moves of files after a time, newest first. */
  movesAfter(at: number): Move[];
  /** The number of applied transactions per time range and author. */
  countByAuthor(spans: readonly TimeRange[]): AuthorCount[];
  /** By how much the number of notes changed in each time range; ranges without a difference are omitted. */
  noteCountDeltas(spans: readonly TimeRange[]): NoteCountDelta[];
};

/** An approved transaction belongs to the author of the held one. */
const joinHeld = 'left join transactions held on held.id = made.approves';
const fromTransactions = `from transactions made ${joinHeld}`;
const authorColumns = `made.origin as origin, coalesce(made.connection, held.connection) is null as hasNoConnection,
  coalesce(made.call, held.call) is not null as isCall`;
const orderNewestFirst =
  'order by coalesce(made.precedes, made.seq) desc, made.precedes is null desc, made.seq desc';

/** `flush` writes pending states to the database. */
export function createListing(database: Database, flush: () => void): JournalQueries {
  const selectFiles = database.prepare(
    `select path, kind, moved_from as "from", lines_added as added, lines_removed as removed from changes
     where transaction_seq = (select seq from transactions where id = ?) order by position`,
  );
  const selectLaterPaths = database
    .prepare(
      `with recursive later (path, seq) as (
         select path, transaction_seq from changes
           where transaction_seq = (select seq from transactions where id = ?)
         union select changes.path, changes.transaction_seq from later
           join changes on moved_from = later.path and transaction_seq > later.seq)
       select distinct path from later`,
    )
    .pluck();
  const selectMoves = database.prepare(
    `select moved_from as "from", path as "to" from changes join transactions on transaction_seq = seq
     where moved_from is not null and at > ? order by seq desc`,
  );
  const selectOwnMoves = database
    .prepare(
      `select path, moved_from from changes
       where transaction_seq = (select seq from transactions where id = ?) and moved_from is not null`,
    )
    .raw();
  const selectMakers = database.prepare(`select distinct ${authorColumns} ${fromTransactions}`);
  const selectCounts = database.prepare(
    `select key as span, ${authorColumns}, count(*) as changes from json_each(@spans)
     cross join transactions made on made.at >= value ->> 0 and made.at < value ->> 1 ${joinHeld}
     where made.state = 'applied' group by key, 2, 3, 4`,
  );
  const selectGrowth = database.prepare(
    `select key as span, sum(iif(kind = 'created', 1, -1)) as notes from json_each(@spans)
     cross join transactions on at >= value ->> 0 and at < value ->> 1 cross join changes on transaction_seq = seq
     where state = 'applied' and kind in ('created', 'deleted') and changes.path like '%.md' group by key having notes != 0`,
  );
  const whereOf = (filter: JournalFilter) =>
    buildWhereClause(filter, filter.who && findMakers(selectMakers.all() as AuthorRow[], filter.who));
  const list = ({ limit, ...filter }: JournalFilter & { limit: number }): ListedEntry[] => {
    flush();
    const { where, values } = whereOf(filter);
    const rows = database
      .prepare(
        `select made.id, made.at, made.origin, made.summary, made.state, made.undoes, made.approves,
         made.hold_reason as heldBecause, ${authorColumns}
         ${fromTransactions} ${where} ${orderNewestFirst} limit @limit`,
      )
      .all({ ...values, limit }) as ListedRow[];
    return rows.map(({ undoes, approves, hasNoConnection, isCall, heldBecause, ...entry }) => {
      const files = selectFiles.all(entry.id) as ListedFile[];
      const who = resolveAuthor({ ...entry, hasNoConnection, isCall });
      return {
        ...entry,
        heldBecause: heldBecause === null ? null : fromStoredReason(heldBecause),
        paths: files.map(({ path }) => path),
        files,
        who,
        said: extractAgentSummary(who, entry.summary, approves),
        approves,
        undoes: undoes === null ? null : { id: undoes, said: agentSummaryOf(undoes) },
      };
    });
  };
  const selectSaid = database.prepare(
    `select made.summary, made.approves, ${authorColumns} ${fromTransactions} where made.id = ?`,
  );
  const agentSummaryOf = (id: string): string | null => {
    const row = selectSaid.get(id) as (AuthorRow & { summary: string; approves: string | null }) | undefined;
    return row === undefined ? null : extractAgentSummary(resolveAuthor(row), row.summary, row.approves);
  };
  return {
    list,
    countListed(filter) {
      flush();
      return countWhere(database, whereOf(filter));
    },
    laterPaths(id) {
      flush();
      return selectLaterPaths.all(id) as VaultPath[];
    },
    movesOf: (id) => new Map(selectOwnMoves.all(id) as [VaultPath, VaultPath][]),
    movesAfter(at) {
      flush();
      return selectMoves.all(at) as Move[];
    },
    countByAuthor(spans) {
      flush();
      const rows = selectCounts.all({ spans: encodeRanges(spans) }) as CountedRow[];
      return rows.map(({ span, changes, ...made }) => ({ span, changes, who: resolveAuthor(made) }));
    },
    noteCountDeltas(spans) {
      flush();
      return selectGrowth.all({ spans: encodeRanges(spans) }) as NoteCountDelta[];
    },
  };
}

type CountedRow = AuthorRow & { span: number; changes: number };
type ListedRow = JournalEntry &
  AuthorRow & { undoes: string | null; approves: string | null; heldBecause: string | null };

function encodeRanges(spans: readonly TimeRange[]): string {
  return JSON.stringify(spans.map(({ from, to }) => [from, to]));
}

/** Only the update agent writes its own summaries; other changes are described by their files. */
function extractAgentSummary({ kind }: Who, summary: string, approves: string | null): string | null {
  if (kind !== 'agent') return null;
  return approves === null ? summary : summary.replace(/ \(approved\)$/, '');
}

function matchesAuthor(who: Who, filter: JournalFilter['who']): boolean {
  return who.kind === filter?.kind && (filter.name === undefined || filter.name === who.name);
}

const authorKey = (hasNoConnection: string, isCall: string): string =>
  `made.origin || ' ' || (${hasNoConnection}) || (${isCall})`;

function findMakers(makers: readonly AuthorRow[], who: JournalFilter['who']): AuthorRow[] {
  return makers.filter((made) => matchesAuthor(resolveAuthor(made), who));
}

function countWhere(database: Database, { where, values }: ReturnType<typeof buildWhereClause>): number {
  return Number(database.prepare(`select count(*) ${fromTransactions} ${where}`).pluck().get(values));
}

/** Builds the conditions in SQL; `origins` are the matching authors when the filter names one. */
function buildWhereClause(
  { path, folder, kind, state, joinsStamps, span, after }: JournalFilter,
  origins: readonly AuthorRow[] | undefined,
): { where: string; values: Record<string, unknown> } {
  const inChanges = (what: string): string =>
    `exists (select 1 from changes where transaction_seq = made.seq and ${what})`;
  const place = 'coalesce(made.precedes, made.seq), made.precedes is null, made.seq';
  const conditions: [isActive: boolean, sql: string][] = [
    [path !== undefined, 'made.seq in (select transaction_seq from changes where path = @path)'],
    [folder !== undefined, inChanges(`path >= @folder || '/' and path < @folder || '0'`)],
    [kind !== undefined, inChanges('kind = @kind')],
    [state !== undefined, 'made.state = @state'],
    [joinsStamps === true, `not (${isJoinedStamp})`],
    [span !== undefined, 'made.at >= @from and made.at < @to'],
    [
      origins !== undefined,
      `${authorKey('coalesce(made.connection, held.connection) is null', 'coalesce(made.call, held.call) is not null')}
       in (select value from json_each(@origins))`,
    ],
    [after !== undefined, `(${place}) < (select ${place} from transactions made where id = @after)`],
  ];
  const active = conditions.flatMap(([isActive, sql]) => (isActive ? [sql] : []));
  return {
    where: active.length === 0 ? '' : `where ${active.join(' and ')}`,
    values: {
      path,
      folder,
      kind,
      state,
      ...span,
      after,
      origins: JSON.stringify(origins?.map((made) => `${made.origin} ${made.hasNoConnection}${made.isCall}`)),
    },
  };
}
