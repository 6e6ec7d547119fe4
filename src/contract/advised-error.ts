/** Something broke: `message` says what happened, `mend` what to do about it; the origin is in `cause`. */
export abstract class AdvisedError extends Error {
  /** Empty when there is nothing to advise. */
  readonly mend: string;

  constructor(message: string, { mend = '', cause }: Advice = {}) {
    super(message, cause === undefined ? undefined : { cause });
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
