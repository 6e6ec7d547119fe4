import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { fromStoredReason, readSentence, toStoredReason } from '../../../vault/src/contract/index.ts';
import type { StoredReason, UpdateFile } from '../../../vault/src/contract/index.ts';
import type { NewJournalEntry, Change, Decision, Removal } from '../../../vault/src/changes/index.ts';
import type { AcceptedSecrets } from '../../../vault/src/queue/index.ts';
import { defineFormat } from '../../../vault/src/vault/index.ts';
import type { VaultPath } from '../../../vault/src/vault/index.ts';

/** The tables of the durable database that belong neither to the journal nor to the queue. */
export const loggedTables = [
  'answers',
  'applied_access',
  'declined_proposals',
  'expired_changes',
  'expired_updates',
  'imported',
  'oauth',
  'people',
  'proposals',
  'session_records',
  'sessions',
  'spend',
  'spend_on_runs',
  'tokens',
  'update_secrets',
] as const;

/** The logged tables with access rights, answers and costs. Restoring the notes to an earlier state does not rewind them. */
export const accessTables: readonly LoggedRow['table'][] = loggedTables.filter(
  (table) => table !== 'imported' && table !== 'session_records',
);

/** A changed row: its primary key, and its current values or null if it was deleted. */
export type LoggedRow = {
  table: (typeof loggedTables)[number];
  key: readonly string[];
  row: Readonly<Record<string, unknown>> | null;
};

/**
 * An entry of the commit log. Replaying all records in order over a snapshot rebuilds the vault; a record that was
 * rejected originally is rejected again.
 */
export type LogRecord =
  | { kind: 'begun'; entry: NewJournalEntry; changes: readonly Change[]; taking?: Removal | undefined }
  | { kind: 'reverted'; id: string }
  | { kind: 'decided'; id: string; decision: Decision }
  | {
      kind: 'accepted';
      id: string;
      at: number;
      input: unknown;
      /** Absent in records of earlier versions, which stored the files in `input` as base64. */
      files?: readonly UpdateFile[] | undefined;
      key?: string | undefined;
      contentHash?: string | undefined;
      secrets?: AcceptedSecrets | undefined;
    }
  | { kind: 'cancelled'; id: string }
  | { kind: 'retried'; id: string }
  | { kind: 'rows'; rows: readonly LoggedRow[] }
  /** The vault was restored to its state after record `to`, which a snapshot contains. */
  | { kind: 'restored'; to: number };

/** Replaces, in the log, a record that is too long and therefore kept in the object store. */
export type StoredRecord = { kind: 'stored'; object: string };

type AnyRecord = LogRecord | StoredRecord;
type BegunRecord = Extract<LogRecord, { kind: 'begun' }>;
type OtherRecord = Exclude<AnyRecord, BegunRecord>;

/**
 * The stored form of a transaction record, whose property names must not change. `Held` is the type of the reason why
 * the transaction is held.
 */
type StoredBegun<Held> = Omit<BegunRecord, 'entry' | 'taking'> & {
  entry: Omit<NewJournalEntry, 'heldBecause' | 'callDigest' | 'isUserAuthored' | 'moves'> & {
    /** Pairs of new and old path; absent in records of earlier versions. */
    moves?: readonly [VaultPath, VaultPath][] | undefined;
    heldBecause?: Held | undefined;
    call?: string | undefined;
    isPersons?: boolean | undefined;
  };
  taking?: StoredRemoval | undefined;
};

type StoredRemoval = {
  connection: string;
  removed: readonly { path: VaultPath; had: number; removed: number; isLost: boolean }[];
  own: Iterable<VaultPath>;
};

const format = defineFormat<AnyRecord>({
  name: 'log record',
  version: 1,
  write: (record) => (record.kind === 'begun' ? toStoredBegun(record) : record),
  readers: {
    // Version 0 stored the reason for holding a transaction as a sentence instead of a code.
    0(stored) {
      const record = restoreBuffers(stored) as OtherRecord | StoredBegun<string>;
      return record.kind === 'begun' ? fromStoredBegun(record, readSentence) : record;
    },
    1(stored) {
      const record = stored as OtherRecord | StoredBegun<StoredReason>;
      return record.kind === 'begun' ? fromStoredBegun(record, (reason) => reason) : record;
    },
  },
});

function toStoredBegun({ entry, taking, ...rest }: BegunRecord): StoredBegun<StoredReason> {
  const { heldBecause, callDigest: call, isUserAuthored: isPersons, moves, ...shared } = entry;
  return {
    ...rest,
    entry: {
      ...shared,
      call,
      isPersons,
      heldBecause: heldBecause && toStoredReason(heldBecause),
      ...(moves !== undefined && { moves: [...moves] }),
    },
    ...(taking !== undefined && { taking: toStoredRemoval(taking) }),
  };
}

function toStoredRemoval({ connection, removed, own }: Removal): StoredRemoval {
  return {
    connection,
    removed: removed.map(({ path, totalCharacters, removedCharacters, isMostlyRemoved }) => ({
      path,
      had: totalCharacters,
      removed: removedCharacters,
      isLost: isMostlyRemoved,
    })),
    own: [...own],
  };
}

function fromStoredBegun<Held>(
  { entry: { heldBecause, call, isPersons, moves, ...entry }, taking, ...rest }: StoredBegun<Held>,
  read: (held: Held) => StoredReason,
): BegunRecord {
  return {
    ...rest,
    entry: {
      ...entry,
      ...(call !== undefined && { callDigest: call }),
      ...(isPersons !== undefined && { isUserAuthored: isPersons }),
      ...(moves !== undefined && { moves: new Map(moves) }),
      ...(heldBecause !== undefined && { heldBecause: fromStoredReason(read(heldBecause)) }),
    },
    ...(taking !== undefined && { taking: fromStoredRemoval(taking) }),
  };
}

function fromStoredRemoval({ connection, removed, own }: StoredRemoval): Removal {
  return {
    connection,
    removed: removed.map(({ path, had, removed: removedCharacters, isLost }) => ({
      path,
      totalCharacters: had,
      removedCharacters,
      isMostlyRemoved: isLost,
    })),
    own: new Set(own),
  };
}

/** Compresses the record, which contains a file's bytes before and after a change; they are usually similar. */
export function encodeRecord(record: AnyRecord): Buffer {
  return zstdCompressSync(format.encode(record));
}

export function decodeRecord(encoded: Uint8Array): AnyRecord {
  return format.decode(zstdDecompressSync(encoded));
}

/** Turns the byte arrays that V8 deserializes back into Buffers. */
function restoreBuffers(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.map(restoreBuffers);
  if (value instanceof Set || value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, restoreBuffers(each)]));
}
