import { AdvisedError } from '../contract/index.ts';

type SyncErrorCode =
  | 'no-git'
  | 'no-remote'
  | 'bad-address'
  | 'unreachable'
  | 'not-accepted'
  | 'other-vault'
  | 'rewritten'
  | 'too-large'
  | 'overtaken'
  | 'mass-deletion';

/** The vault could not be synced. */
export class SyncError extends AdvisedError<SyncErrorCode> {
  override readonly name = 'SyncError';
}
