import { otherReason, withHint } from './reasons.ts';
import type { Reason } from './reasons.ts';

/**
 * Base class of all expected failures. `code` is from a closed set per module, `message` says what happened, `hint` what to do
 * about it; the original error is in `cause`.
 */
export abstract class KeepsakeError<Code extends string = string> extends Error {
  readonly code: Code;
  /** Empty when there is no advice. */
  readonly hint: string;

  /** Message and hint as data, which the web app translates. */
  readonly reason: Reason;

  constructor(code: Code, problem: string | Reason, { hint = '', cause }: KeepsakeErrorOptions = {}) {
    const reason = typeof problem === 'string' ? otherReason(problem) : problem;
    super(reason.text, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
    this.reason = withHint(reason, hint);
  }

  /** Includes the hint, so that it appears in logs. */
  override toString(): string {
    return `${this.name}: ${describeError(this)}`;
  }
}

export type KeepsakeErrorOptions = { hint?: string; cause?: unknown };

/** Formats an error in one line: what happened, then what to do. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof KeepsakeError && error.hint !== ''
    ? `${error.message}; ${error.hint}`
    : error.message;
}

/** Returns the reason of a failure. For errors of other classes it contains only the message. */
export function reasonFrom(error: unknown): Reason {
  return error instanceof KeepsakeError ? error.reason : otherReason(describeError(error));
}
