import { describe, expect, it } from 'vitest';
import { AdvisedError, describeError } from './advised-error.ts';

class ShelfError extends AdvisedError {
  override readonly name = 'ShelfError';
}

describe('an error with advice', () => {
  const cause = new Error('dust');
  const error = new ShelfError('full', 'the shelf is full', { mend: 'clear it; or build another', cause });

  it('keeps apart what happened, what to do, and where it came from', () => {
    expect(error.code).toBe('full');
    expect(error.message).toBe('the shelf is full');
    expect(error.mend).toBe('clear it; or build another');
    expect(error.cause).toBe(cause);
  });

  it('is told in one line, in a log with its name', () => {
    expect(describeError(error)).toBe('the shelf is full; clear it; or build another');
    expect(String(error)).toBe('ShelfError: the shelf is full; clear it; or build another');
  });

  it('may have no advice', () => {
    const bare = new ShelfError('gone', 'the shelf is gone');
    expect(bare.mend).toBe('');
    expect('cause' in bare).toBe(false);
    expect(describeError(bare)).toBe('the shelf is gone');
  });
});

it.each([
  [new TypeError('no shelf'), 'no shelf'],
  ['a word', 'a word'],
  [undefined, 'undefined'],
])('anything else that was thrown is told, too: %s', (thrown, told) => {
  expect(describeError(thrown)).toBe(told);
});
