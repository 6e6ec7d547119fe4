export type AppErrorCode =
  | 'no-vault'
  | 'bad-configuration'
  | 'bad-state'
  | 'bad-target'
  | 'bad-input'
  | 'no-model'
  | 'stopped';

/** Keepsake could not be set up. The message says what to do; the origin is in `cause`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;

  constructor(code: AppErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
