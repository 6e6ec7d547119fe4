import { KeepsakeError } from '../contract/index.ts';

export type VaultErrorCode =
  | 'no-vault'
  | 'not-a-folder'
  | 'unsafe-folder'
  | 'bad-identity'
  | 'bad-name'
  | 'busy'
  | 'lost-lock'
  | 'made-already'
  | 'unfinished'
  | 'killed'
  | 'damaged-history'
  | 'damaged-data'
  | 'newer-format'
  | 'io';

/** An expected failure of a vault operation. */
export class VaultError extends KeepsakeError<VaultErrorCode> {
  override readonly name = 'VaultError';
}

/** The `code` of a system or SQLite error (`ENOENT`, `SQLITE_BUSY`, …); undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the error says that a database is corrupt. */
export function isDatabaseCorrupt(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error) ?? '');
}

/** Whether a database cannot be written because its disk is full, failing or read-only. */
export function isDiskError(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(errorCode(error) ?? '');
}
