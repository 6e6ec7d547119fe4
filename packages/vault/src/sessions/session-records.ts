import type { Database } from 'better-sqlite3';
import type { Keepsake } from '../app/index.ts';
import type { SessionEvent } from '../hook/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** A part of a session that was added to the vault. */
export type SessionRecord = {
  client: SessionEvent['client'];
  session: string;
  /** The change that wrote the note, or the idempotency key of the update. */
  change: string;
  /** The key of the last event in this part. */
  lastTurn: string;
  /** When the last event happened, in epoch milliseconds. */
  at: number;
  became: 'note' | 'update';
  /** The path of the note, or the id of the update. */
  target: string;
};

/**
 * Records which sessions are in the vault, for live capture and import alike. The record of a note is written before its
 * change and under the id of the change, so that a crash cannot separate them: it counts once the journal contains that
 * change, and no longer after an undo. Create it for one operation: it remembers which changes were undone.
 */
export type SessionRecords = {
  /** The last part of the session that counts; null if there is none. */
  find(client: SessionEvent['client'], session: string): SessionRecord | null;
  /** The notes that a change wrote. */
  listByChange(change: string): SessionRecord[];
  /** Replaces earlier records of the same change. */
  record(change: string, records: readonly Omit<SessionRecord, 'change'>[]): void;
};

const columns = 'client, session, change, last_turn as lastTurn, at, became, target';

type RecordsOwner = { state: Pick<Keepsake['state'], 'hasDurable' | 'databases' | 'ensureAdopted'> } & {
  changes: Pick<Keepsake['changes'], 'find' | 'findExpired' | 'undonePaths'>;
};

export function createSessionRecords({ state, changes }: RecordsOwner): SessionRecords {
  // One change can contain a hundred notes and is slow to read.
  const undone = new Map<string, ReadonlySet<VaultPath>>();
  const counts = ({ became, change, target }: SessionRecord): boolean => {
    if (became === 'update') return true;
    if (!undone.has(change)) {
      const entry = changes.find(change)?.entry ?? changes.findExpired(change);
      if (entry == null || entry.state === 'reverted') return false;
      undone.set(change, changes.undonePaths(change));
    }
    return undone.get(change)?.has(target as VaultPath) === false;
  };
  const select = (where: string, ...values: string[]): SessionRecord[] =>
    state.hasDurable()
      ? (state
          .databases()
          .durable.prepare(`select ${columns} from session_records where ${where}`)
          .all(...values) as SessionRecord[])
      : [];
  return {
    find: (client, session) =>
      select('client = ? and session = ? order by at desc', client, session).find(counts) ?? null,
    listByChange: (change) => select('change = ?', change),
    record(change, records) {
      state.ensureAdopted();
      insertRecords(state.databases().durable, change, records);
    },
  };
}

function insertRecords(
  database: Database,
  change: string,
  records: readonly Omit<SessionRecord, 'change'>[],
): void {
  const forget = database.prepare('delete from session_records where change = ?');
  const insert = database.prepare(
    'insert into session_records values (@client, @session, @change, @lastTurn, @at, @became, @target)',
  );
  database
    .transaction(() => {
      forget.run(change);
      for (const { client, session, lastTurn, at, became, target } of records)
        insert.run({ client, session, change, lastTurn, at, became, target });
    })
    .immediate();
}
