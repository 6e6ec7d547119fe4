/** The vector scaled to length 1, or null for one that has no direction. */
export function normalise(values: readonly number[]): Float32Array | null {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? Float32Array.from(values, (value) => value / length) : null;
}
