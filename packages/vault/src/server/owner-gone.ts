import { AdvisedError } from '../contract/index.ts';

/** The process that served the vault does not answer, or another one serves it now. */
export class OwnerGone extends AdvisedError<'owner-gone'> {
  override readonly name = 'OwnerGone';

  constructor(message: string, cause?: unknown) {
    super('owner-gone', message, { mend: 'try again', cause });
  }
}
