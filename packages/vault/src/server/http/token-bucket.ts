import type { Clock } from '../../contract/index.ts';

/** Passed with each call, because the configured rate may change. */
export type Rate = { burst: number; perSecond: number };

export type TokenBucket = {
  /** Takes a token and returns null, or returns the seconds to wait for one. */
  take(rate: Rate): { wait: number } | null;
};

export function createTokenBucket(clock: Clock): TokenBucket {
  let left = Infinity;
  let at = clock();
  return {
    take({ burst, perSecond }) {
      const now = clock();
      left = Math.min(burst, left + (Math.max(0, now - at) / 1_000) * perSecond);
      at = now;
      if (left < 1) return { wait: Math.max(1, Math.ceil((1 - left) / perSecond)) };
      left -= 1;
      return null;
    },
  };
}
