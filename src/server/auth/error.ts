import { AdvisedError } from '../../contract/index.ts';
import type { Advice } from '../../contract/index.ts';

export type ServerErrorCode =
  /** Reachable from elsewhere, and nobody would have to show a token. */
  'no-token' | 'port-in-use' | 'bad-address';

/** The server cannot start. */
export class ServerError extends AdvisedError {
  override readonly name = 'ServerError';
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, message: string, options?: Advice) {
    super(message, options);
    this.code = code;
  }
}
