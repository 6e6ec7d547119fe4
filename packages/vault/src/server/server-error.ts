import { KeepsakeError } from '../contract/index.ts';

export type ServerErrorCode =
  /** The server is reachable from other machines, but no token exists. */
  | 'no-token'
  | 'port-in-use'
  | 'bad-address'
  /** Two vaults would have the same URL. */
  | 'same-name'
  | 'bad-folder';

/** Thrown when the server cannot start. */
export class ServerError extends KeepsakeError<ServerErrorCode> {
  override readonly name = 'ServerError';
}
