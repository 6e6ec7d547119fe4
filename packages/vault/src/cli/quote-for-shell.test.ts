import { describe, expect, it } from 'vitest';
import { quoteForUser } from './quote-for-shell.ts';

describe('a path in a command that is shown', () => {
  it('is quoted as the shells of the system expect', () => {
    expect(quoteForUser("/home/ada's notes", 'linux')).toBe(String.raw`'/home/ada'\''s notes'`);
    expect(quoteForUser(String.raw`C:\my notes`, 'win32')).toBe(String.raw`"C:\my notes"`);
  });
});
