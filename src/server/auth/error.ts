export type ServerErrorCode =
  /** Reachable from elsewhere, and nobody would have to show a token. */
  'no-token' | 'port-in-use' | 'bad-address';

/** The server cannot start. The message says what to do; the origin is in `cause`. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
