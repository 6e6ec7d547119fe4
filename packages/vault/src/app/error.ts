import { KeepsakeError } from '../contract/index.ts';

export type AppErrorCode =
  | 'no-vault'
  | 'vault-gone'
  | 'bad-configuration'
  | 'bad-state'
  | 'bad-target'
  | 'bad-input'
  | 'no-model'
  | 'stopped';

/** Configuration, state or input prevents the operation. */
export class AppError extends KeepsakeError<AppErrorCode> {
  override readonly name = 'AppError';
}
