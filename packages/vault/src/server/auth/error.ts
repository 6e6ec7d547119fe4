import { AdvisedError } from '../../contract/index.ts';

export type ServerErrorCode =
  /** Reachable from elsewhere, and nobody would have to show a token. */
  | 'no-token'
  | 'port-in-use'
  | 'bad-address'
  /** Two vaults whose addresses would be the same. */
  | 'same-name'
  | 'bad-folder';

/** The server cannot start. */
export class ServerError extends AdvisedError<ServerErrorCode> {
  override readonly name = 'ServerError';
}
