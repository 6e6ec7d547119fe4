import { otherReason, formatReason } from '../contract/index.ts';
import type { Reason } from '../contract/index.ts';

/** Limits of one run and of a day. A run that reaches one stops with a message and without partial changes. */
export type RunLimits = {
  steps: number;
  /** Input and output of one run, without tokens from the provider's cache. */
  tokens: number;
  minutes: number;
  /** Of one run including all its attempts, if prices are configured. */
  cost: number | null;
  /** Of all runs of a day, if prices are configured. */
  dailyCost: number | null;
  /** The daily limit for a model without prices. */
  dailyTokens: number;
  /** The daily limit of a hosted vault, with or without prices. */
  vaultTokens: number | null;
};

export const defaultRunLimits: RunLimits = {
  steps: 40,
  tokens: 250_000,
  minutes: 10,
  cost: null,
  dailyCost: null,
  dailyTokens: 5_000_000,
  vaultTokens: null,
};

/** Assumed context size if it is unknown. Most models have more, and those with less report it in an error. */
export const defaultContextTokens = 128_000;

/** Per million tokens, in the user's currency. */
export type Prices = {
  input: number;
  output: number;
  cachedInput?: number | undefined;
  /** Set if writing to the provider's cache costs more than uncached input. */
  cacheWrite?: number | undefined;
};

/** Token counts. `input` is the total; of it, `cached` came from the provider's cache and `written` was added to it. */
export type Usage = { input: number; cached: number; written: number; output: number };

/** Accumulated usage. `cost` is null if a step had no price. */
export type UsageTotals = Usage & { steps: number; cost: number | null };

/** Records usage across restarts. Days are in the local time zone. */
export type Ledger = {
  usageToday(): DailyUsage;
  /** Null if the update or question has not used anything. */
  usageOfRun(run: string): UsageTotals | null;
  record(run: string, usage: Usage, cost: number | null): void;
};

/** `tokens` as counted for the daily limit. */
export type DailyUsage = Usage & { steps: number; tokens: number; cost: number };

/** Tokens as counted for limits, which ignore those from the provider's cache. */
export function uncachedTokens({ input, cached, output }: Usage): number {
  return input - cached + output;
}

/** Null without prices. */
export function calculateCost(
  { input, cached, written, output }: Usage,
  prices: Prices | null,
): number | null {
  if (prices === null) return null;
  const read = (input - cached - written) * prices.input + cached * (prices.cachedInput ?? prices.input);
  const cacheWrites = written * (prices.cacheWrite ?? prices.input);
  return (read + cacheWrites + output * prices.output) / 1_000_000;
}

/** Usage of a run so far, as counted for limits. */
export type RunUsage = { steps: number; tokens: number; milliseconds: number; cost: number };

/** Returns why the next step is not allowed, or null if it is. */
export function findReachedLimit(
  limits: RunLimits,
  used: RunUsage,
  today: { tokens: number; cost: number },
  hasPrices: boolean,
): Reason | null {
  if (used.steps >= limits.steps) return otherReason(`reached the limit of ${limits.steps} steps`);
  if (used.tokens >= limits.tokens) return otherReason(`reached the limit of ${limits.tokens} tokens`);
  if (used.milliseconds >= limits.minutes * 60_000)
    return otherReason(`reached the limit of ${limits.minutes} minutes`);
  if (hasPrices && limits.cost !== null && used.cost >= limits.cost)
    return otherReason(`reached the cost limit (${used.cost.toFixed(2)} of ${limits.cost})`);
  if (hasPrices && limits.dailyCost !== null && today.cost >= limits.dailyCost)
    return otherReason(`reached today's cost limit of ${limits.dailyCost}`);
  if (!hasPrices && today.tokens >= limits.dailyTokens)
    return otherReason(`reached today's limit of ${limits.dailyTokens} tokens (no prices are configured)`);
  if (limits.vaultTokens !== null && today.tokens >= limits.vaultTokens)
    return formatReason('tokens-today', { count: limits.vaultTokens });
  return null;
}
