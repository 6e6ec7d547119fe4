import { describeError } from '../contract/index.ts';
import { errorCode } from '../vault/index.ts';
import { AppError } from './error.ts';

/** Turns a database error into an error that tells the submitter what to do. */
export async function withQueueError<Kept>(work: () => Promise<Kept>): Promise<Kept> {
  try {
    return await work();
  } catch (cause) {
    if (errorCode(cause)?.startsWith('SQLITE_') !== true) throw cause;
    throw new AppError(
      'bad-state',
      `cannot store the update (${describeError(cause)}); it was not accepted`,
      {
        hint: 'free disk space or run keepsake doctor, then submit it again',
        cause,
      },
    );
  }
}
