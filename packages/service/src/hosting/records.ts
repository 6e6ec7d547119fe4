import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { UpdateFile } from '../../../vault/src/contract/index.ts';
import type { Begun, Change, Decision, Taking } from '../../../vault/src/changes/index.ts';
import { defineFormat } from '../../../vault/src/vault/index.ts';

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

const format = defineFormat<AnyRecord>({
  name: 'log record',
  version: 1,
  write: (record) =>
    record.kind === 'begun' && record.taking !== undefined
      ? { ...record, taking: { ...record.taking, own: [...record.taking.own] } }
      : record,
  readers: {
    0: (stored) => restoreBuffers(stored) as AnyRecord,
    1(stored) {
      const record = stored as AnyRecord;
      return record.kind === 'begun' && record.taking !== undefined
        ? { ...record, taking: { ...record.taking, own: new Set(record.taking.own) } }
        : record;
    },
  },
});

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
