/** Pseudorandom bytes, the same on every call. */
export function noise(length: number): Buffer {
  let state = 1;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
}
