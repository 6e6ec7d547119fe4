/**
 * Something broke: `message` says what happened, `mend` what to do about it, `code` which of the known things it is; the
 * origin is in `cause`. Each room has one of these.
 */
export abstract class AdvisedError<Code extends string = string> extends Error {
  readonly code: Code;
  /** Empty when there is nothing to advise. */
  readonly mend: string;

  constructor(code: Code, message: string, { mend = '', cause }: Advice = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.mend = mend;
  }

  /** A log that writes down the error keeps the advice. */
  override toString(): string {
    return `${this.name}: ${describeError(this)}`;
  }
}

export type Advice = { mend?: string; cause?: unknown };

/** One line for a person or a model: what happened, and what to do. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof AdvisedError && error.mend !== ''
    ? `${error.message}; ${error.mend}`
    : error.message;
}
