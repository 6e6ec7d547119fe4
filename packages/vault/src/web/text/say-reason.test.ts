import { expect, it } from 'vitest';
import { reasonFor } from '../../contract/index.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import { sayReason } from './say-reason.ts';

it('says a reason in the language of the page, and other words as they are', () => {
  const reason = reasonFor('removes-text', { count: 12_345 });
  expect(sayReason(reason, en)).toBe(reason);
  expect(sayReason(reason, fr)).toBe(
    'cela retire 12\u202f345 caractères de texte qui ne sont nulle part ailleurs',
  );
  const answered = reasonFor('answered', { address: 'http://m/v1', status: '429 (slow down)' });
  expect(sayReason(`${answered}; try again later`, fr)).toBe(
    'http://m/v1 a répondu 429 (slow down) ; réessayez plus tard',
  );
  expect(sayReason('the disk is full', fr)).toBe('the disk is full');
});
