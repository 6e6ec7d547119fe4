import { deserialize, serialize } from 'node:v8';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { UpdateFile } from '../../../vault/src/contract/index.ts';
import type { Begun, Change, Decision, Taking } from '../../../vault/src/changes/index.ts';

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

/** What a file was and what it becomes mostly resemble each other: together they are not much more than one of them. */
export function encodeRecord(record: LogRecord | StoredRecord): Buffer {
  return zstdCompressSync(serialize(record));
}

export function decodeRecord(encoded: Uint8Array): LogRecord | StoredRecord {
  return restoreBuffers(deserialize(zstdDecompressSync(encoded))) as LogRecord | StoredRecord;
}

/** What was a Buffer comes back as one: the format only knows that it was bytes. */
function restoreBuffers(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.map(restoreBuffers);
  if (value instanceof Set || value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, restoreBuffers(each)]));
}
