import { AdvisedError } from '../contract/index.ts';

export type VaultErrorCode =
  | 'no-vault'
  | 'not-a-folder'
  | 'unsafe-folder'
  | 'bad-identity'
  | 'busy'
  | 'lost-lock'
  | 'made-already'
  | 'unfinished'
  | 'io';

/** Something broke while working on the vault. */
export class VaultError extends AdvisedError<VaultErrorCode> {
  override readonly name = 'VaultError';
}

/** The `code` of a system error (`ENOENT`, `EACCES`, …), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
