import { expect, it } from 'vitest';
import { fromStoredReason, otherReason, formatReason } from '../../contract/index.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import { translateReason } from './translate-reason.ts';

it('a reason is translated into the language of the page', () => {
  const reason = formatReason('removes-text', { count: 12_345 });
  expect(translateReason(reason, en)).toBe(
    'this removes 12,345 characters that exist nowhere else in the vault',
  );
  expect(translateReason(reason, fr)).toBe(
    'cette action supprime 12\u202f345 caractères qui n’existent nulle part ailleurs',
  );
  const answered = { address: 'http://m/v1', status: '429 (slow down)' };
  expect(translateReason(formatReason('answered', answered, 'try again later'), fr)).toBe(
    'http://m/v1 a renvoyé l’erreur HTTP 429 (slow down)\u202f; réessayez plus tard',
  );
});

it('a reason without a translation is shown in English', () => {
  expect(translateReason(otherReason('the disk is full'), fr)).toBe('the disk is full');
  expect(translateReason(fromStoredReason({ code: 'constructor', values: {} }), fr)).toBe('constructor');
});
