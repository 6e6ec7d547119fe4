import { fromStoredReason } from '../contract/index.ts';
import type { Database } from 'better-sqlite3';
import type { Reason, Who } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { JournalEntry, JournalState, Span } from './journal-entry.ts';
import type { FileTold } from './tell-files.ts';
import { whoseIs } from './who.ts';
import type { Maker } from './who.ts';

/** Which transactions; all of these hold for one that is meant. */
export type Which = {
  path?: VaultPath | undefined;
  /** One that changed anything in it. */
  folder?: VaultPath | undefined;
  /** What became of one of its files. */
  kind?: FileTold['kind'] | undefined;
  who?: { kind: Who['kind']; name?: string | undefined } | undefined;
  state?: JournalState | undefined;
  span?: Span | undefined;
  /** Only those that come after this one in the list; by its id. */
  after?: string | undefined;
};

/** A file of a transaction; `kind` is null for a folder, and where it was not written down yet. */
type ListedFile = { path: VaultPath } & ({ kind: null; from: null; added: null; removed: null } | FileTold);

export type ListedEntry = JournalEntry & {
  paths: VaultPath[];
  files: ListedFile[];
  who: Who;
  /** The summary where it is in the words of a person or a model, and not in ours. */
  said: string | null;
  /** The transaction that it takes back, with the same. */
  undoes: { id: string; said: string | null } | null;
  /** The held transaction that it makes. */
  approves: string | null;
  /** Why it was held, if it was. */
  heldBecause: Reason | null;
};

/** How many transactions a span of time has of one maker; by its place among those asked for. */
type Counted = { span: number; who: Who; changes: number };
type Grown = { span: number; notes: number };

/** What the journal tells of many transactions at once. */
export type Listing = {
  /** Newest first. */
  list(which: Which & { limit: number }): ListedEntry[];
  /** What was applied in each of these times, by whom. */
  counts(spans: readonly Span[]): Counted[];
  /** How many notes more there are after each of these times than before it; times without a difference are left out. */
  growth(spans: readonly Span[]): Grown[];
};

/** One that was held and approved is of whoever wanted it. */
const ofHeld = 'left join transactions held on held.id = made.approves';
const withHeld = `from transactions made ${ofHeld}`;
const maker = `made.origin as origin, coalesce(made.connection, held.connection) is null as isPersons,
  coalesce(made.call, held.call) is not null as isCall`;
const newestFirst =
  'order by coalesce(made.precedes, made.seq) desc, made.precedes is null desc, made.seq desc';

/** `flush` writes the states that are not in the database yet. */
export function createListing(database: Database, flush: () => void): Listing {
  const selectFiles = database.prepare(
    `select path, kind, moved_from as "from", lines_added as added, lines_removed as removed from changes
     where transaction_seq = (select seq from transactions where id = ?) order by position`,
  );
  const selectMakers = database.prepare(`select distinct ${maker} ${withHeld}`);
  const selectCounts = database.prepare(
    `select key as span, ${maker}, count(*) as changes from json_each(@spans)
     cross join transactions made on made.at >= value ->> 0 and made.at < value ->> 1 ${ofHeld}
     where made.state = 'applied' group by key, 2, 3, 4`,
  );
  const selectGrowth = database.prepare(
    `select key as span, sum(iif(kind = 'created', 1, -1)) as notes from json_each(@spans)
     cross join transactions on at >= value ->> 0 and at < value ->> 1 cross join changes on transaction_seq = seq
     where state = 'applied' and kind in ('created', 'deleted') and changes.path like '%.md' group by key having notes != 0`,
  );
  const list = ({ limit, ...which }: Which & { limit: number }): ListedEntry[] => {
    flush();
    const origins =
      which.who && (selectMakers.all() as Maker[]).filter((made) => isOf(whoseIs(made), which.who));
    const { where, values } = conditionsOf(which, origins);
    const rows = database
      .prepare(
        `select made.id, made.at, made.origin, made.summary, made.state, made.undoes, made.approves,
         made.held_because as heldBecause, ${maker}
         ${withHeld} ${where} ${newestFirst} limit @limit`,
      )
      .all({ ...values, limit }) as ListedRow[];
    return rows.map(({ undoes, approves, isPersons, isCall, heldBecause, ...entry }) => {
      const files = selectFiles.all(entry.id) as ListedFile[];
      const who = whoseIs({ ...entry, isPersons, isCall });
      return {
        ...entry,
        heldBecause: heldBecause === null ? null : fromStoredReason(heldBecause),
        paths: files.map(({ path }) => path),
        files,
        who,
        said: saidIn(who, entry.summary, approves),
        approves,
        undoes: undoes === null ? null : { id: undoes, said: saidBy(undoes) },
      };
    });
  };
  const selectSaid = database.prepare(
    `select made.summary, made.approves, ${maker} ${withHeld} where made.id = ?`,
  );
  const saidBy = (id: string): string | null => {
    const row = selectSaid.get(id) as (Maker & { summary: string; approves: string | null }) | undefined;
    return row === undefined ? null : saidIn(whoseIs(row), row.summary, row.approves);
  };
  return {
    list,
    counts(spans) {
      flush();
      const rows = selectCounts.all({ spans: inJson(spans) }) as CountedRow[];
      return rows.map(({ span, changes, ...made }) => ({ span, changes, who: whoseIs(made) }));
    },
    growth(spans) {
      flush();
      return selectGrowth.all({ spans: inJson(spans) }) as Grown[];
    },
  };
}

type CountedRow = Maker & { span: number; changes: number };
type ListedRow = JournalEntry &
  Maker & { undoes: string | null; approves: string | null; heldBecause: string | null };

function inJson(spans: readonly Span[]): string {
  return JSON.stringify(spans.map(({ from, to }) => [from, to]));
}

/** Only the update agent says what it did; of all other changes it is known by what became of files. */
function saidIn({ kind }: Who, summary: string, approves: string | null): string | null {
  if (kind !== 'agent') return null;
  return approves === null ? summary : summary.replace(/ \(approved\)$/, '');
}

function isOf(who: Who, wanted: Which['who']): boolean {
  return who.kind === wanted?.kind && (wanted.name === undefined || wanted.name === who.name);
}

const makerKey = (isPersons: string, isCall: string): string =>
  `made.origin || ' ' || (${isPersons}) || (${isCall})`;

/** As SQL; `origins` are the makers that are meant, when it is about some. */
function conditionsOf(
  { path, folder, kind, state, span, after }: Which,
  origins: readonly Maker[] | undefined,
): { where: string; values: Record<string, unknown> } {
  const inChanges = (what: string): string =>
    `exists (select 1 from changes where transaction_seq = made.seq and ${what})`;
  const place = 'coalesce(made.precedes, made.seq), made.precedes is null, made.seq';
  const conditions: [isWanted: boolean, sql: string][] = [
    [path !== undefined, 'made.seq in (select transaction_seq from changes where path = @path)'],
    [folder !== undefined, inChanges(`path >= @folder || '/' and path < @folder || '0'`)],
    [kind !== undefined, inChanges('kind = @kind')],
    [state !== undefined, 'made.state = @state'],
    [span !== undefined, 'made.at >= @from and made.at < @to'],
    [
      origins !== undefined,
      `${makerKey('coalesce(made.connection, held.connection) is null', 'coalesce(made.call, held.call) is not null')}
       in (select value from json_each(@origins))`,
    ],
    [after !== undefined, `(${place}) < (select ${place} from transactions made where id = @after)`],
  ];
  const wanted = conditions.flatMap(([isWanted, sql]) => (isWanted ? [sql] : []));
  return {
    where: wanted.length === 0 ? '' : `where ${wanted.join(' and ')}`,
    values: {
      path,
      folder,
      kind,
      state,
      ...span,
      after,
      origins: JSON.stringify(origins?.map((made) => `${made.origin} ${made.isPersons}${made.isCall}`)),
    },
  };
}
