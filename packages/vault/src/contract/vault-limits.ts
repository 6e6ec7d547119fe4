import { KeepsakeError } from './keepsake-error.ts';
import { formatReason } from './reasons.ts';

const askOperatorHint = 'ask the operator of the service to raise the limit';

/**
 * The limits of a vault on a service. The error for a reached limit contains its `reason` and its `hint`, which says
 * what to do.
 */
export const vaultLimits = {
  bytes: {
    unit: 'bytes in all files',
    default: 5_000_000_000,
    reason: 'full-bytes',
    hint: `delete files you no longer need, or ${askOperatorHint}`,
  },
  files: {
    unit: 'files',
    default: 100_000,
    reason: 'full-files',
    hint: `delete files you no longer need, or ${askOperatorHint}`,
  },
  requests: {
    unit: 'requests per minute',
    default: 60_000,
    reason: 'many-requests',
    hint: `send fewer requests, or ${askOperatorHint}`,
  },
  tokens: {
    unit: 'model tokens per day',
    default: 5_000_000,
    reason: 'tokens-today',
    hint: `wait until tomorrow, or ${askOperatorHint}`,
  },
  searches: {
    unit: 'concurrent searches',
    default: 16,
    reason: 'many-searches',
    hint: 'retry when a running search has finished',
  },
} as const;

export type LimitName = keyof typeof vaultLimits;
/** A missing entry means no limit. */
export type VaultLimits = Partial<Record<LimitName, number>>;
/** Called for every check, because limits can change while the vault is served. */
export type GetLimits = () => VaultLimits;

export type VaultSize = { bytes: number; files: number };

/** Thrown when a vault has reached one of its limits. */
export class LimitError extends KeepsakeError<LimitName> {
  override readonly name = 'LimitError';
  /** Number of seconds after which to retry; null when waiting does not help. */
  readonly retryAfterSeconds: number | null;

  constructor(limit: LimitName, count: number, retryAfter: number | null) {
    const { reason, hint } = vaultLimits[limit];
    super(limit, formatReason(reason, { count }), { hint });
    this.retryAfterSeconds = retryAfter;
  }
}

/** Throws a `LimitError` when the growth would exceed a limit. Changes that free space are always allowed. */
export function assertWithinLimits(limits: VaultLimits, size: VaultSize, growth: VaultSize): void {
  for (const limit of ['bytes', 'files'] as const) {
    const limitValue = limits[limit];
    if (limitValue !== undefined && growth[limit] > 0 && size[limit] + growth[limit] > limitValue)
      throw new LimitError(limit, limitValue, null);
  }
}
