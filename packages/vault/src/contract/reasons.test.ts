import { expect, it } from 'vitest';
import { fromStoredReason } from './reason-schema.ts';
import { otherReason, formatReason, toStoredReason } from './reasons.ts';

it('a reason is formatted as an English sentence, followed by advice if there is any', () => {
  expect(formatReason('removes-text', { count: 12_345 }).text).toBe(
    'this removes 12,345 characters that exist nowhere else in the vault',
  );
  expect(formatReason('no-key', { provider: 'openai' }, 'set OPENAI_API_KEY').text).toBe(
    'no API key for openai; set OPENAI_API_KEY',
  );
  expect(otherReason('the disk is full').text).toBe('the disk is full');
});

it('the values of a reason are inserted verbatim, even if they look like placeholders', () => {
  const path = 'vault/{address}; a (b) answered it changes $& on the word.md';
  const reason = formatReason('loads-from-elsewhere', { path, address: 'https://a/{path}' });
  expect(reason.text).toBe(
    `this adds remote content to ${path} that an editor would load (https://a/{path})`,
  );
  expect(fromStoredReason(JSON.stringify(toStoredReason(reason)))).toEqual(reason);
});

it('a reason is stored as its code and values, not as a sentence', () => {
  expect(toStoredReason(formatReason('deletes-files', { count: 12 }))).toEqual({
    code: 'deletes-files',
    values: { count: 12 },
  });
});

it('an unknown reason code from a newer version is shown unchanged', () => {
  expect(fromStoredReason({ code: 'too-warm', values: {} }).text).toBe('too-warm');
  expect(fromStoredReason({ code: 'constructor', values: {} }).text).toBe('constructor');
});
