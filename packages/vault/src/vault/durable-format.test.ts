import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineFormat } from './durable-format.ts';

const format = defineFormat<unknown>({
  name: 'sample',
  version: 1,
  write: (value) => value,
  readers: { 1: (stored) => stored },
});
/** The same format in a later version. */
const laterFormat = defineFormat<unknown>({
  name: 'sample',
  version: 2,
  write: (value) => value,
  readers: { 1: (stored) => ({ from: 1, stored }), 2: (stored) => ({ from: 2, stored }) },
});

const bytes = fc.uint8Array().map((each) => Buffer.from(each));
const names = fc.oneof(fc.string(), fc.constantFrom('$part', '$$part', '$', '__proto__', 'constructor'));
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (each === 0 ? 0 : each)),
    // Includes lone surrogates, which occur in file names.
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('\ud83c', '\udf32', 'a') }),
    bytes,
    fc.array(tie('value')),
    fc.dictionary(names, tie('value'), { noNullPrototype: true }),
  ),
}));

it('a durable format round-trips every value', () => {
  fc.assert(
    fc.property(values, (value) => {
      // `toStrictEqual` treats a property named `constructor` as the class.
      expect(isDeepStrictEqual(format.decode(format.encode(value)), value)).toBe(true);
    }),
  );
});

it('a durable format stores bytes without base64', () => {
  const content = Buffer.alloc(1_000_000, 0xfe);
  expect(format.encode({ content }).length).toBeLessThan(content.length + 200);
});

it('a durable format omits undefined properties', () => {
  expect(format.decode(format.encode({ a: undefined, b: 1 }))).toStrictEqual({ b: 1 });
});

it.each(
  Object.entries({
    'a number that is not finite': Infinity,
    'not a number': Number.NaN,
    'a bigint': 1n,
    'a map': new Map(),
    'a set': new Set(),
    'a date': new Date(0),
    'a function': () => 1,
    'a gap in a list': [undefined],
  }),
)('a durable format refuses to encode %s, which would not round-trip', (_, value) => {
  expect(() => format.encode({ value })).toThrow(/durable data cannot contain/);
});

it('a durable format decodes an earlier version with the reader of that version', () => {
  expect(laterFormat.decode(format.encode('a'))).toEqual({ from: 1, stored: 'a' });
  expect(laterFormat.decode(laterFormat.encode('a'))).toEqual({ from: 2, stored: 'a' });
});

it('a durable format rejects a newer version of the data or the container, and tells the user to update Keepsake', () => {
  expect(() => format.decode(laterFormat.encode('a'))).toThrow(
    expect.objectContaining({
      code: 'newer-format',
      message:
        'the stored sample was written by a newer Keepsake, in version 2 of its format; this one reads up to 1',
      hint: 'update Keepsake',
    }),
  );
  const container = format.encode('a');
  container.writeUInt8(2, 3);
  expect(() => format.decode(container)).toThrow(/newer Keepsake, in version 2 of the container/);
});

it('a durable format rejects data of another format, truncated data and foreign data', () => {
  const other = defineFormat<unknown>({ name: 'other', version: 1, write: String, readers: { 1: String } });
  const whole = format.encode({ text: 'a', content: Buffer.from('abc') });
  const starts = Array.from({ length: whole.length }, (_, length) => whole.subarray(0, length));
  for (const stored of [other.encode('a'), Buffer.from([0xff]), Buffer.from('{}'), ...starts])
    expect(() => format.decode(stored)).toThrow(expect.objectContaining({ code: 'damaged-data' }));
});
