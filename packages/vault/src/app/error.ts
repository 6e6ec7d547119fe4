import { AdvisedError } from '../contract/index.ts';

export type AppErrorCode =
  | 'no-vault'
  | 'bad-configuration'
  | 'bad-state'
  | 'bad-target'
  | 'bad-input'
  | 'no-model'
  | 'stopped';

/** Keepsake could not be set up. */
export class AppError extends AdvisedError<AppErrorCode> {
  override readonly name = 'AppError';
}
