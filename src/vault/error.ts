import { AdvisedError } from '../contract/index.ts';
import type { Advice } from '../contract/index.ts';

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
export class VaultError extends AdvisedError {
  override readonly name = 'VaultError';
  readonly code: VaultErrorCode;

  constructor(code: VaultErrorCode, message: string, options?: Advice) {
    super(message, options);
    this.code = code;
  }
}

/** The `code` of a system error (`ENOENT`, `EACCES`, …), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
