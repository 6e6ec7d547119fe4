import { AdvisedError } from '../contract/index.ts';

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
  | 'damaged-history'
  | 'damaged-data'
  | 'newer-format'
  | 'io';

/** Something broke while working on the vault. */
export class VaultError extends AdvisedError<VaultErrorCode> {
  override readonly name = 'VaultError';
}

/** The `code` of an error of the system or of SQLite (`ENOENT`, `SQLITE_BUSY`, …), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a database turned out to be damaged. A busy one is not. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(systemCode(error) ?? '');
}

/** Whether a database cannot be written because its disk is full, fails or takes nothing more. */
export function isOfTheDisk(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(systemCode(error) ?? '');
}
