/** Quantizes a vector to one bit per dimension, its sign, padded to whole 64-bit words. */
export function quantize(vector: Float32Array): Uint8Array {
  const code = new Uint8Array(Math.ceil(vector.length / 64) * 8);
  for (const [place, number] of vector.entries())
    if (number > 0) code[place >> 3] = (code[place >> 3] ?? 0) | (1 << (place & 7));
  return code;
}

/**
 * Scores binary codes against an unquantized vector. The contribution of every possible byte at every position is
 * computed once.
 */
export function createAsymmetricScorer(vector: Float32Array): (codes: Uint8Array, start: number) => number {
  const width = Math.ceil(vector.length / 64) * 8;
  const worth = new Float32Array(256 * width);
  for (let place = 0; place < width; place += 1)
    for (let byte = 0; byte < 256; byte += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const number = vector[8 * place + bit] ?? 0;
        const entry = 256 * place + byte;
        worth[entry] = (worth[entry] as number) + ((byte >> bit) & 1 ? number : -number);
      }
  return (codes, start) => {
    let fit = 0;
    for (let place = 0; place < width; place += 1)
      fit += worth[256 * place + (codes[start + place] as number)] as number;
    return fit;
  };
}
