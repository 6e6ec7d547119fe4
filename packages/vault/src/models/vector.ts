/** The vector scaled to length 1, or null if it has no direction. */
export function normalizeVector(values: readonly number[]): Float32Array | null {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? Float32Array.from(values, (value) => value / length) : null;
}
