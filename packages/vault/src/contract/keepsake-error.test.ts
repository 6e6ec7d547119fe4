import { describe, expect, it } from 'vitest';
import { KeepsakeError, describeError } from './keepsake-error.ts';

class ShelfError extends KeepsakeError {
  override readonly name = 'ShelfError';
}

describe('KeepsakeError', () => {
  const cause = new Error('dust');
  const error = new ShelfError('full', 'the shelf is full', { hint: 'clear it; or build another', cause });

  it('separates message, hint and cause', () => {
    expect(error.code).toBe('full');
    expect(error.message).toBe('the shelf is full');
    expect(error.hint).toBe('clear it; or build another');
    expect(error.cause).toBe(cause);
  });

  it('formats as one line, with the class name in logs', () => {
    expect(describeError(error)).toBe('the shelf is full; clear it; or build another');
    expect(String(error)).toBe('ShelfError: the shelf is full; clear it; or build another');
  });

  it('may have no hint', () => {
    const bare = new ShelfError('gone', 'the shelf is gone');
    expect(bare.hint).toBe('');
    expect('cause' in bare).toBe(false);
    expect(describeError(bare)).toBe('the shelf is gone');
  });
});

it.each([
  [new TypeError('no shelf'), 'no shelf'],
  ['a word', 'a word'],
  [undefined, 'undefined'],
])('describeError accepts any thrown value: %s', (thrown, expected) => {
  expect(describeError(thrown)).toBe(expected);
});
