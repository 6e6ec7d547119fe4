/** One bit for each number: whether it is positive. Whole words of 64 bits. */
export function codeOf(vector: Float32Array): Uint8Array {
  const code = new Uint8Array(Math.ceil(vector.length / 64) * 8);
  for (const [place, number] of vector.entries())
    if (number > 0) code[place >> 3] = (code[place >> 3] ?? 0) | (1 << (place & 7));
  return code;
}

/**
 * How well codes fit a vector, of which the numbers count and not only their signs. What each byte of a code is worth, at
 * each place, is worked out once.
 */
export function createFit(vector: Float32Array): (codes: Uint8Array, start: number) => number {
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
