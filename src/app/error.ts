import { AdvisedError } from '../contract/index.ts';
import type { Advice } from '../contract/index.ts';

export type AppErrorCode =
  | 'no-vault'
  | 'bad-configuration'
  | 'bad-state'
  | 'bad-target'
  | 'bad-input'
  | 'no-model'
  | 'stopped';

/** Keepsake could not be set up. */
export class AppError extends AdvisedError {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;

  constructor(code: AppErrorCode, message: string, options?: Advice) {
    super(message, options);
    this.code = code;
  }
}
