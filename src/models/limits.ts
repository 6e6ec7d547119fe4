/** Bounds of one run, and of a day. Reaching one ends the run with a clear word, never with half a change. */
export type Limits = {
  steps: number;
  /** Read and written by the model in one run; what came from the provider's cache does not count. */
  tokens: number;
  minutes: number;
  /** Of all runs of a day, where prices are known. */
  dailyCost: number | null;
  /** The same for a model without prices. */
  dailyTokens: number;
};

export const usualLimits: Limits = {
  steps: 40,
  tokens: 250_000,
  minutes: 10,
  dailyCost: null,
  dailyTokens: 5_000_000,
};

/** For a million tokens, in whatever currency the person thinks in. */
export type Prices = { input: number; output: number; cachedInput?: number | undefined };

export type Usage = { input: number; cached: number; output: number };

/** What was used today, kept over restarts. Days are those of the person. */
export type Ledger = {
  today(): { tokens: number; cost: number };
  add(usage: Usage, cost: number): void;
};

/** Null without prices. `input` includes what was cached. */
export function costOf({ input, cached, output }: Usage, prices: Prices | null): number | null {
  if (prices === null) return null;
  const fresh = (input - cached) * prices.input + cached * (prices.cachedInput ?? prices.input);
  return (fresh + output * prices.output) / 1_000_000;
}

/** What a run used so far, as a bound counts it. */
export type Used = { steps: number; tokens: number; milliseconds: number };

/** Why the next step must not be made; null when it may. */
export function reachedLimit(
  limits: Limits,
  used: Used,
  today: { tokens: number; cost: number },
  hasPrices: boolean,
): string | null {
  if (used.steps >= limits.steps) return `it needed more than ${limits.steps} steps`;
  if (used.tokens >= limits.tokens) return `it needed more than ${limits.tokens} tokens`;
  if (used.milliseconds >= limits.minutes * 60_000) return `it took longer than ${limits.minutes} minutes`;
  if (hasPrices && limits.dailyCost !== null && today.cost >= limits.dailyCost)
    return `today's limit of ${limits.dailyCost} is spent`;
  if (!hasPrices && today.tokens >= limits.dailyTokens)
    return `today's limit of ${limits.dailyTokens} tokens is used up (no prices are configured)`;
  return null;
}
