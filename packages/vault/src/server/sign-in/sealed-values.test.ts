import { describe, expect, it } from 'vitest';
import { createSealedValues } from './sealed-values.ts';

describe('a sealed value', () => {
  it('can be opened until it expires or is consumed, and consumed once', () => {
    let now = 0;
    const values = createSealedValues<string>(1_000, () => now);
    const [first, second] = [values.seal('a'), values.seal('b')];
    expect([values.open(first), values.open(first)]).toEqual(['a', 'a']);
    expect([values.consume(first), values.consume(first), values.open(first)]).toEqual([true, false, null]);
    now = 1_000;
    expect(values.open(second)).toBe('b');
    now = 1_001;
    expect([values.open(second), values.consume(second)]).toEqual([null, false]);
  });

  it('is not accepted if it was modified, or sealed by another process', () => {
    const values = createSealedValues<string>(1_000);
    const sealed = values.seal('a');
    const bytes = Buffer.from(sealed, 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const modified = Buffer.from(bytes);
      modified[at]! ^= 1;
      expect(values.open(modified.toString('base64url'))).toBeNull();
    }
    for (const wrong of ['', 'x', bytes.subarray(0, 28).toString('base64url'), `${sealed}AAAA`])
      expect(values.open(wrong)).toBeNull();
    expect(createSealedValues<string>(1_000).open(sealed)).toBeNull();
  });
});
