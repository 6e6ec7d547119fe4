import { KeepsakeError } from '../contract/index.ts';

/** The process that serves the vault does not respond, or another process serves it now. */
export class OwnerGoneError extends KeepsakeError<'owner-gone'> {
  override readonly name = 'OwnerGoneError';

  constructor(message: string, cause?: unknown) {
    super('owner-gone', message, { hint: 'retry', cause });
  }
}
