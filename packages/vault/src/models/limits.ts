import { otherReason, reasonFor } from '../contract/index.ts';
import type { Reason } from '../contract/index.ts';

/** Bounds of one run, and of a day. Reaching one ends the run with a clear word, never with half a change. */
export type Limits = {
  steps: number;
  /** Read and written by the model in one run; what came from the provider's cache does not count. */
  tokens: number;
  minutes: number;
  /** Of one run, all of its attempts together, where prices are known. */
  cost: number | null;
  /** Of all runs of a day, where prices are known. */
  dailyCost: number | null;
  /** The same for a model without prices. */
  dailyTokens: number;
  /** Of a vault of a service, whatever they cost. */
  vaultTokens: number | null;
};

export const usualLimits: Limits = {
  steps: 40,
  tokens: 250_000,
  minutes: 10,
  cost: null,
  dailyCost: null,
  dailyTokens: 5_000_000,
  vaultTokens: null,
};

/** What a model is assumed to take at once when nobody knows: most take more, and one that takes less says so. */
export const usualContext = 128_000;

/** For a million tokens, in whatever currency the person thinks in. */
export type Prices = {
  input: number;
  output: number;
  cachedInput?: number | undefined;
  /** Where writing to the provider's cache costs more than reading it the first time. */
  cacheWrite?: number | undefined;
};

/** Tokens. `input` is all that was read: of it `cached` came from the provider's cache, and `written` went into it. */
export type Usage = { input: number; cached: number; written: number; output: number };

/** What was used so far. `cost` counts what has a price; null when something had none. */
export type Spent = Usage & { steps: number; cost: number | null };

/** What was used today, kept over restarts. Days are those of the person. */
export type Ledger = {
  today(): SpentToday;
  /** Null when that update or question has used nothing. */
  spentOn(run: string): Spent | null;
  add(run: string, usage: Usage, cost: number | null): void;
};

/** `tokens` as the bound of a day counts them. */
export type SpentToday = Usage & { steps: number; tokens: number; cost: number };

/** As bounds count them: what came from the provider's cache is hardly worth counting. */
export function freshTokens({ input, cached, output }: Usage): number {
  return input - cached + output;
}

/** Null without prices. */
export function costOf({ input, cached, written, output }: Usage, prices: Prices | null): number | null {
  if (prices === null) return null;
  const read = (input - cached - written) * prices.input + cached * (prices.cachedInput ?? prices.input);
  const kept = written * (prices.cacheWrite ?? prices.input);
  return (read + kept + output * prices.output) / 1_000_000;
}

/** What a run used so far, as a bound counts it. */
export type Used = { steps: number; tokens: number; milliseconds: number; cost: number };

/** Why the next step must not be made; null when it may. */
export function reachedLimit(
  limits: Limits,
  used: Used,
  today: { tokens: number; cost: number },
  hasPrices: boolean,
): Reason | null {
  if (used.steps >= limits.steps) return otherReason(`it needed more than ${limits.steps} steps`);
  if (used.tokens >= limits.tokens) return otherReason(`it needed more than ${limits.tokens} tokens`);
  if (used.milliseconds >= limits.minutes * 60_000)
    return otherReason(`it took longer than ${limits.minutes} minutes`);
  if (hasPrices && limits.cost !== null && used.cost >= limits.cost)
    return otherReason(`it has cost ${used.cost.toFixed(2)}, and the limit is ${limits.cost}`);
  if (hasPrices && limits.dailyCost !== null && today.cost >= limits.dailyCost)
    return otherReason(`today's limit of ${limits.dailyCost} is spent`);
  if (!hasPrices && today.tokens >= limits.dailyTokens)
    return otherReason(`today's limit of ${limits.dailyTokens} tokens is used up (no prices are configured)`);
  if (limits.vaultTokens !== null && today.tokens >= limits.vaultTokens)
    return reasonFor('tokens-today', { count: limits.vaultTokens });
  return null;
}
