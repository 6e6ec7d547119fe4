import { KeepsakeError } from '../contract/index.ts';
import type { KeepsakeErrorOptions, Reason } from '../contract/index.ts';

export type ModelErrorCode =
  /** The configured URL of a model is invalid. */
  | 'bad-address'
  /** The server does not respond, or the connection was lost. */
  | 'unreachable'
  /** The API key is missing, wrong or lacks permission, or the account has no credit left. */
  | 'refused'
  /** The server cannot respond now: too many requests or an internal error. */
  | 'unavailable'
  /** The server rejected this request. */
  | 'rejected'
  /** The text exceeds the context of the model. */
  | 'too-long'
  /** The response does not have the expected form. */
  | 'bad-answer'
  /** The response is valid, but the model does not do the task. */
  | 'unfit'
  | 'no-runtime'
  | 'bad-runtime'
  | 'no-model'
  | 'bad-model'
  | 'closed'
  | 'no-checksum'
  | 'wrong-checksum'
  | 'bad-download'
  | 'io';

/** A model could not be used. */
export class ModelError extends KeepsakeError<ModelErrorCode> {
  override readonly name = 'ModelError';
  /** The context size in tokens if the server names it in a `too-long` error; otherwise null. */
  readonly contextTokens: number | null;

  constructor(
    code: ModelErrorCode,
    problem: string | Reason,
    { contextTokens = null, ...advice }: ModelErrorOptions = {},
  ) {
    super(code, problem, advice);
    this.contextTokens = contextTokens;
  }
}

type ModelErrorOptions = KeepsakeErrorOptions & { contextTokens?: number | null };

/** The system code or message of an error. `fetch` hides both in the cause of a "fetch failed" error. */
export function errorCodeOrMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? errorCodeOrMessage(error.cause) : error.message;
}
