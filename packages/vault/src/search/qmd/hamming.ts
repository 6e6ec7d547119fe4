/** Codes of equal length in one piece of memory, and how far each of them is from another one. */
export type Codes = {
  /** How many there are. */
  count(): number;
  /** Takes codes that lie one after the other. */
  add(bytes: Uint8Array): void;
  /** All of them, one after the other. Stands until the next call. */
  all(): Uint8Array;
  /** In how many bits each of these codes differs from the one given. Stands until the next call. */
  distances(code: Uint8Array, first: number, count: number): Uint16Array;
};

/** What one call can compare. */
export const mostCompared = 32_768;

const pageSize = 65_536;
/** In the first page lies the code that is asked for, in the second what comes of it, and from the third on all codes. */
const [resultsAt, codesAt] = [pageSize, 2 * pageSize];

/** `width` is the length of a code in bytes, a multiple of 8. */
export function createCodes(width: number): Codes {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program), { js: { memory } });
  const compare = exports['compare'] as Compare;
  let [used, room] = [0, 0];
  return {
    count: () => used / width,
    add(bytes) {
      // A quarter more than is needed, so that what comes singly does not ask for memory each time.
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

// The compiler's types of these come only with those of a browser.
type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number };
type Compare = (code: number, start: number, end: number, width: number, results: number) => void;
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => Memory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: { js: { memory: Memory } }) => { exports: Record<string, unknown> };
};

/**
 * WebAssembly, because JavaScript cannot count bits: ten times as fast. In its text format:
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
    '0061736d01000000', // a module
    '01090160057f7f7f7f7f00', // the type of its function,
    '020e01026a73066d656d6f7279020001', // its memory,
    '03020100070b0107636f6d706172650000', // its name,
    '0a53015102017e017f', // and its code, with two variables
    '03404200210541002106',
    '03402005200020066a290300200120066a290300857b7c2105',
    '200641086a22062003490d000b',
    '200420053d0100200441026a2104',
    '200120036a22012002490d000b0b',
  ].join(''),
  'hex',
);
