import { AdvisedError } from '../contract/index.ts';
import type { Advice, Reason } from '../contract/index.ts';

export type ModelErrorCode =
  /** The address given for a model cannot be one. */
  | 'bad-address'
  /** Nothing answers there, or the connection was cut. */
  | 'unreachable'
  /** The key is missing, wrong or not allowed to do this, or its account has no credit left. */
  | 'refused'
  /** It answers that it cannot now: too many requests, or it failed itself. */
  | 'unavailable'
  /** It answers that it does not take this request. */
  | 'rejected'
  /** It answers that the text is longer than the model takes. */
  | 'too-long'
  /** It answers, but not with what was asked for. */
  | 'bad-answer'
  /** It answers as it should, but does not do the work. */
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
export class ModelError extends AdvisedError<ModelErrorCode> {
  override readonly name = 'ModelError';
  /** How many tokens it takes, where it says so as it refuses what is `too-long`; else null. */
  readonly contextTokens: number | null;

  constructor(
    code: ModelErrorCode,
    problem: string | Reason,
    { contextTokens = null, ...advice }: Refusal = {},
  ) {
    super(code, problem, advice);
    this.contextTokens = contextTokens;
  }
}

type Refusal = Advice & { contextTokens?: number | null };

/** What to say of an error from below: a system code, or a message. `fetch` hides both below a «fetch failed». */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
