import { expect, it } from 'vitest';
import { fromStoredReason, otherReason, reasonFor } from '../../contract/index.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import { sayReason } from './say-reason.ts';

it('says a reason in the language of the page', () => {
  const reason = reasonFor('removes-text', { count: 12_345 });
  expect(sayReason(reason, en)).toBe('it removes 12,345 characters of text that are nowhere else');
  expect(sayReason(reason, fr)).toBe(
    'cela retire 12\u202f345 caractères de texte qui ne sont nulle part ailleurs',
  );
  const answered = { address: 'http://m/v1', status: '429 (slow down)' };
  expect(sayReason(reasonFor('answered', answered, 'try again later'), fr)).toBe(
    'http://m/v1 a répondu 429 (slow down) ; réessayez plus tard',
  );
});

it('says in English what has no translation', () => {
  expect(sayReason(otherReason('the disk is full'), fr)).toBe('the disk is full');
  expect(sayReason(fromStoredReason({ code: 'constructor', values: {} }), fr)).toBe('constructor');
});
