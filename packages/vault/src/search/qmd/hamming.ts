/** Codes of equal length in one block of memory, with their Hamming distances to another code. */
export type BinaryVectors = {
  /** Number of codes. */
  count(): number;
  /** Appends one or more concatenated codes. */
  add(bytes: Uint8Array): void;
  /** All codes, concatenated. Valid until the next call. */
  all(): Uint8Array;
  /**
   * For each of `count` codes from index `first` on, the number of bits in which it differs from `code`. Valid until
   * the next call.
   */
  distances(code: Uint8Array, first: number, count: number): Uint16Array;
};

/** Maximum number of codes per call. */
export const maxComparisons = 32_768;

const pageSize = 65_536;
/** Memory layout: page 1 holds the query code, page 2 the results, page 3 and up all codes. */
const [resultsAt, codesAt] = [pageSize, 2 * pageSize];

/** `width` is the length of a code in bytes, a multiple of 8. */
export function createBinaryVectors(width: number): BinaryVectors {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program), { js: { memory } });
  const compare = exports['compare'] as Compare;
  let [used, room] = [0, 0];
  return {
    count: () => used / width,
    add(bytes) {
      // Reserves a quarter more than needed, so that single additions do not grow the memory each time.
      const pages = Math.ceil(((used + bytes.length) * 1.25) / pageSize);
      if (used + bytes.length > room) {
        memory.grow(pages - room / pageSize);
        room = pages * pageSize;
      }
      new Uint8Array(memory.buffer).set(bytes, codesAt + used);
      used += bytes.length;
    },
    all: () => new Uint8Array(memory.buffer, codesAt, used),
    distances(code, first, count) {
      new Uint8Array(memory.buffer).set(code);
      const start = codesAt + first * width;
      if (count > 0) compare(0, start, start + count * width, width, resultsAt);
      return new Uint16Array(memory.buffer, resultsAt, count);
    },
  };
}

// TypeScript declares these types only in the DOM library.
type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number };
type Compare = (code: number, start: number, end: number, width: number, results: number) => void;
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => Memory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: { js: { memory: Memory } }) => { exports: Record<string, unknown> };
};

/**
 * WebAssembly, because JavaScript has no popcount; ten times as fast. In text format:
 *
 *     (func (export "compare") (param $code i32) (param $at i32) (param $end i32) (param $width i32) (param $result i32)
 *       (local $sum i64) (local $byte i32)
 *       (loop $codes
 *         (local.set $sum (i64.const 0)) (local.set $byte (i32.const 0))
 *         (loop $words
 *           (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.xor
 *             (i64.load (i32.add (local.get $code) (local.get $byte)))
 *             (i64.load (i32.add (local.get $at) (local.get $byte)))))))
 *           (br_if $words (i32.lt_u (local.tee $byte (i32.add (local.get $byte) (i32.const 8))) (local.get $width))))
 *         (i64.store16 (local.get $result) (local.get $sum))
 *         (local.set $result (i32.add (local.get $result) (i32.const 2)))
 *         (br_if $codes (i32.lt_u (local.tee $at (i32.add (local.get $at) (local.get $width))) (local.get $end)))))
 */
const program = Buffer.from(
  [
    '0061736d01000000', // module header
    '01090160057f7f7f7f7f00', // function type
    '020e01026a73066d656d6f7279020001', // imported memory
    '03020100070b0107636f6d706172650000', // exported function
    '0a53015102017e017f', // code with two locals
    '03404200210541002106',
    '03402005200020066a290300200120066a290300857b7c2105',
    '200641086a22062003490d000b',
    '200420053d0100200441026a2104',
    '200120036a22012002490d000b0b',
  ].join(''),
  'hex',
);
