/** A growable list of unsigned integers in contiguous memory, for fast iteration. */
export type Uint32List = { push(number: number): void; length(): number; all(): Uint32Array };

export function createUint32List(): Uint32List {
  let [numbers, length] = [new Uint32Array(1_024), 0];
  return {
    push(number) {
      if (length === numbers.length) {
        const more = new Uint32Array(2 * length);
        more.set(numbers);
        numbers = more;
      }
      numbers[length++] = number;
    },
    length: () => length,
    all: () => numbers.subarray(0, length),
  };
}

/** Binary search in ascending numbers; -1 if not found. */
export function binarySearch(number: number, among: Uint32Array): number {
  let [low, high] = [0, among.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((among[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return among[low] === number ? low : -1;
}
