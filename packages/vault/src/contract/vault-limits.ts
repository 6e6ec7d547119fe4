import { AdvisedError } from './advised-error.ts';
import { reasonFor } from './reasons.ts';

const more = 'ask whoever runs the service for more';

/** What a vault of a service may use: what each limit counts, how much it is unless somebody sets it, and what is told when it is reached. */
export const vaultLimits = {
  bytes: {
    unit: 'bytes of all files together',
    usual: 5_000_000_000,
    reason: 'full-bytes',
    mend: `delete what is not needed, or ${more}`,
  },
  files: {
    unit: 'files',
    usual: 100_000,
    reason: 'full-files',
    mend: `delete what is not needed, or ${more}`,
  },
  requests: {
    unit: 'requests per minute',
    usual: 60_000,
    reason: 'many-requests',
    mend: `send fewer, or ${more}`,
  },
  tokens: {
    unit: 'tokens of models per day',
    usual: 5_000_000,
    reason: 'tokens-today',
    mend: `wait until tomorrow, or ${more}`,
  },
  searches: {
    unit: 'searches at the same time',
    usual: 16,
    reason: 'many-searches',
    mend: 'try again when one of them is answered',
  },
} as const;

export type LimitName = keyof typeof vaultLimits;
/** What is left out has no limit. */
export type VaultLimits = Partial<Record<LimitName, number>>;
/** Asked every time: limits may be changed while a vault is served. */
export type ReadLimits = () => VaultLimits;

export type VaultSize = { bytes: number; files: number };

/** A vault has used what it may. */
export class LimitError extends AdvisedError<LimitName> {
  override readonly name = 'LimitError';
  /** After how many seconds it may be tried again; null where waiting changes nothing. */
  readonly retryAfter: number | null;

  constructor(limit: LimitName, count: number, retryAfter: number | null) {
    const { reason, mend } = vaultLimits[limit];
    super(limit, reasonFor(reason, { count }), { mend });
    this.retryAfter = retryAfter;
  }
}

/** Throws when a vault of this size may not grow so much. What takes no more room is always allowed. */
export function checkGrowth(limits: VaultLimits, size: VaultSize, growth: VaultSize): void {
  for (const limit of ['bytes', 'files'] as const) {
    const most = limits[limit];
    if (most !== undefined && growth[limit] > 0 && size[limit] + growth[limit] > most)
      throw new LimitError(limit, most, null);
  }
}
