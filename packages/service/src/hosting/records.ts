import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { fromStoredReason, readSentence, toStoredReason } from '../../../vault/src/contract/index.ts';
import type { StoredReason, UpdateFile } from '../../../vault/src/contract/index.ts';
import type { Begun, Change, Decision, Taking } from '../../../vault/src/changes/index.ts';
import { defineFormat } from '../../../vault/src/vault/index.ts';
import type { VaultPath } from '../../../vault/src/vault/index.ts';

/** The tables of the durable database that are neither of the journal nor of the queue. */
export const loggedTables = [
  'answers',
  'imported',
  'oauth',
  'people',
  'sessions',
  'spend',
  'spend_on_runs',
  'tokens',
] as const;

/** Of these, who may use a vault, what they were answered and what it has cost: it is no earlier when the notes are. */
export const tablesOfUse: readonly LoggedRow['table'][] = loggedTables.filter(
  (table) => table !== 'imported',
);

/** A row as it is now, by its primary key; null when it is gone. */
export type LoggedRow = {
  table: (typeof loggedTables)[number];
  key: readonly string[];
  row: Readonly<Record<string, unknown>> | null;
};

/**
 * What a vault has promised, in order. Played back in this order over a snapshot, it gives the vault again: what was refused then
 * is refused again.
 */
export type LogRecord =
  | { kind: 'begun'; entry: Begun; changes: readonly Change[]; taking?: Taking | undefined }
  | { kind: 'reverted'; id: string }
  | { kind: 'decided'; id: string; decision: Decision }
  | {
      kind: 'accepted';
      id: string;
      at: number;
      input: unknown;
      /** Left out by earlier versions, which had them in `input` as base64. */
      files?: readonly UpdateFile[] | undefined;
      key?: string | undefined;
    }
  | { kind: 'cancelled'; id: string }
  | { kind: 'retried'; id: string }
  | { kind: 'rows'; rows: readonly LoggedRow[] }
  /** From here on it is what it was after an earlier record; there is a snapshot of that. */
  | { kind: 'restored'; to: number };

/** Stands in the log for a record that is too long for it. */
export type StoredRecord = { kind: 'stored'; object: string };

type AnyRecord = LogRecord | StoredRecord;
type BegunRecord = Extract<LogRecord, { kind: 'begun' }>;
type OtherRecord = Exclude<AnyRecord, BegunRecord>;

/** The record of a transaction as it is stored, where `Held` is why it is held. */
type StoredBegun<Held> = Omit<BegunRecord, 'entry' | 'taking'> & {
  entry: Omit<Begun, 'heldBecause'> & { heldBecause?: Held | undefined };
  taking?: (Omit<Taking, 'own'> & { own: Iterable<VaultPath> }) | undefined;
};

const format = defineFormat<AnyRecord>({
  name: 'log record',
  version: 1,
  write: (record) => (record.kind === 'begun' ? toStoredBegun(record) : record),
  readers: {
    // Had a sentence where a reason is.
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
  const { heldBecause } = entry;
  return {
    ...rest,
    entry: { ...entry, heldBecause: heldBecause && toStoredReason(heldBecause) },
    ...(taking !== undefined && { taking: { ...taking, own: [...taking.own] } }),
  };
}

function fromStoredBegun<Held>(
  { entry: { heldBecause, ...entry }, taking, ...rest }: StoredBegun<Held>,
  read: (held: Held) => StoredReason,
): BegunRecord {
  return {
    ...rest,
    entry: {
      ...entry,
      ...(heldBecause !== undefined && { heldBecause: fromStoredReason(read(heldBecause)) }),
    },
    ...(taking !== undefined && { taking: { ...taking, own: new Set(taking.own) } }),
  };
}

/** Compressed, because the bytes of a file before and after a change mostly resemble each other. */
export function encodeRecord(record: AnyRecord): Buffer {
  return zstdCompressSync(format.encode(record));
}

export function decodeRecord(encoded: Uint8Array): AnyRecord {
  return format.decode(zstdDecompressSync(encoded));
}

/** V8 gives back other arrays of bytes than Buffers as what they were. */
function restoreBuffers(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.map(restoreBuffers);
  if (value instanceof Set || value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, restoreBuffers(each)]));
}
