import { KeepsakeError } from '../contract/index.ts';

type ForgetErrorCode = 'bad-target' | 'not-found' | 'busy' | 'changed' | 'unsupported';

/** The words cannot be forgotten as asked; nothing was changed. */
export class ForgetError extends KeepsakeError<ForgetErrorCode> {
  override readonly name = 'ForgetError';
}
