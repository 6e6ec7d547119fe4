import { expect, it } from 'vitest';
import { fromStoredReason, otherReason, reasonFor, toStoredReason } from './reasons.ts';

it('renders a reason as a sentence, with numbers as English writes them and what to do about it', () => {
  expect(reasonFor('removes-text', { count: 12_345 }).text).toBe(
    'it removes 12,345 characters of text that are nowhere else',
  );
  expect(reasonFor('no-key', { provider: 'openai' }, 'set OPENAI_API_KEY').text).toBe(
    'there is no key for openai; set OPENAI_API_KEY',
  );
  expect(otherReason('the disk is full').text).toBe('the disk is full');
});

it('keeps a value apart from the sentence, whatever it looks like', () => {
  const path = 'vault/{address}; a (b) answered it changes $& on the word.md';
  const reason = reasonFor('loads-from-elsewhere', { path, address: 'https://a/{path}' });
  expect(reason.text).toBe(`it puts into ${path} what an editor loads from elsewhere (https://a/{path})`);
  expect(fromStoredReason(JSON.stringify(toStoredReason(reason)))).toEqual(reason);
});

it('stores the code and the values, not the sentence', () => {
  expect(toStoredReason(reasonFor('deletes-files', { count: 12 }))).toEqual({
    code: 'deletes-files',
    values: { count: 12 },
  });
});

it('shows a code that a newer version has stored as it is', () => {
  expect(fromStoredReason({ code: 'too-warm', values: {} }).text).toBe('too-warm');
  expect(fromStoredReason({ code: 'constructor', values: {} }).text).toBe('constructor');
});
