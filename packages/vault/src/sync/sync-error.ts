import { KeepsakeError } from '../contract/index.ts';

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
  | 'mass-deletion'
  | 'mass-removal'
  | 'new-secrets';

export class SyncError extends KeepsakeError<SyncErrorCode> {
  override readonly name = 'SyncError';
}
