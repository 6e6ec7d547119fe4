import { AdvisedError, describeError } from '../../contract/index.ts';

/** The error to throw so that the client sees the advice: the SDK tells it the message and nothing else. */
export function withAdvice(error: unknown): unknown {
  return error instanceof AdvisedError ? new Error(describeError(error), { cause: error }) : error;
}

/** The same for a whole request. */
export async function advising<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw withAdvice(error);
  }
}
