/** Whether tests try all of their inputs: only in the project `nightly` of vitest.config.ts. */
export const isNightly = process.env['KEEPSAKE_ALL_INPUTS'] === 'true';

/**
 * All items in the nightly run, otherwise every `step`-th, starting at `offset`. Tests with the same items and different
 * offsets try all of them together.
 */
export function sampleOf<Item>(items: readonly Item[], step: number, offset = 0): Item[] {
  return isNightly ? [...items] : items.filter((_, index) => index % step === offset % step);
}
