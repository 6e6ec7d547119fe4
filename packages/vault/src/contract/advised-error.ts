import { otherReason, withHint } from './reasons.ts';
import type { Reason } from './reasons.ts';

/**
 * Something broke: `message` says what happened, `mend` what to do about it, `code` which of the known things it is; the
 * origin is in `cause`. Each room has one of these.
 */
export abstract class AdvisedError<Code extends string = string> extends Error {
  readonly code: Code;
  /** Empty when there is nothing to advise. */
  readonly mend: string;

  /** What happened and what to do about it, for readers of other languages. */
  readonly reason: Reason;

  constructor(code: Code, problem: string | Reason, { mend = '', cause }: Advice = {}) {
    const reason = typeof problem === 'string' ? otherReason(problem) : problem;
    super(reason.text, cause === undefined ? undefined : { cause });
    this.code = code;
    this.mend = mend;
    this.reason = withHint(reason, mend);
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

/** Why something failed; an error without advice has only its message. */
export function reasonFrom(error: unknown): Reason {
  return error instanceof AdvisedError ? error.reason : otherReason(describeError(error));
}
