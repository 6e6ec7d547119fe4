/** Returns an integer from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** A generator that depends only on the seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Mutation = (
  input: Buffer,
  random: Random,
  others: readonly Buffer[],
  words: readonly Buffer[],
) => Buffer;

/** Mutates an input by several changes in a row. */
export function mutate(
  inputs: readonly Buffer[],
  words: readonly Buffer[],
  maxBytes: number,
  random: Random,
): Buffer {
  let input = pick(inputs, random);
  for (let times = 1 + random(6); times > 0; times -= 1)
    input = pick(mutations, random)(input, random, inputs, words).subarray(0, maxBytes);
  return input;
}

const odd = [
  0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x27, 0x2d, 0x2f, 0x5c, 0x7f, 0x80, 0xbf, 0xc0, 0xed, 0xf4, 0xff,
];
/** Characters that are invalid, look like others, change the text direction or expand to several. */
const letters = [
  '\u0000',
  '\u0085',
  '\u00ad',
  '\u0301',
  '\u200b',
  '\u202e',
  '\u2028',
  '\u{e0041}',
  '\ufeff',
  '\ufffd',
  'ﬃ',
  'İ',
  '😀',
];

const mutations: readonly Mutation[] = [
  // Replaces, removes or inserts one byte.
  (input, random) => {
    const changed = Buffer.from(input);
    if (changed.length > 0)
      changed[random(changed.length)] = random(2) === 0 ? random(256) : pick(odd, random);
    return changed;
  },
  (input, random) => spliced(input, random(input.length + 1), 1, Buffer.alloc(0)),
  (input, random) => spliced(input, random(input.length + 1), 0, Buffer.from([random(256)])),
  // Removes, duplicates, repeats or moves a piece.
  (input, random) => {
    const [start, end] = piece(input, random);
    return spliced(input, start, end - start, Buffer.alloc(0));
  },
  (input, random) => {
    const [start, end] = piece(input, random);
    return spliced(input, random(input.length + 1), 0, input.subarray(start, end));
  },
  (input, random) => {
    const [start, end] = piece(input, random);
    const times = 2 + random(random(8) === 0 ? 2_000 : 20);
    return spliced(
      input,
      start,
      0,
      Buffer.concat(Array.from({ length: times }, () => input.subarray(start, end))),
    );
  },
  // Inserts a meaningful word, once or several times.
  (input, random, _, words) => spliced(input, random(input.length + 1), random(4), pick(words, random)),
  (input, random, _, words) => spliced(input, random(input.length + 1), 0, pick(words, random)),
  (input, random, _, words) => {
    const word = pick(words, random);
    const times = 2 + random(random(8) === 0 ? 1_000 : 10);
    return spliced(
      input,
      random(input.length + 1),
      0,
      Buffer.concat(Array.from({ length: times }, () => word)),
    );
  },
  (input, random) => spliced(input, random(input.length + 1), 0, Buffer.from(pick(letters, random))),
  // Replaces a number.
  (input, random) => {
    const number = pick(['0', '-1', '1', '65536', '2147483648', '9007199254740993', '1e308', 'NaN'], random);
    return Buffer.from(input.toString('latin1').replace(/\d+/, number), 'latin1');
  },
  // Joins the beginning of one input to the end of another.
  (input, random, others) => {
    const other = pick(others, random);
    return Buffer.concat([
      input.subarray(0, random(input.length + 1)),
      other.subarray(random(other.length + 1)),
    ]);
  },
];

function pick<Value>(values: readonly Value[], random: Random): Value {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error('cannot pick from an empty list');
  return value;
}

function piece(input: Buffer, random: Random): [number, number] {
  const start = random(input.length + 1);
  return [start, Math.min(input.length, start + 1 + random(random(4) === 0 ? 200 : 16))];
}

function spliced(input: Buffer, at: number, remove: number, insert: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, at), insert, input.subarray(at + remove)]);
}
