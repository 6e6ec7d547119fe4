import { expect, it } from 'vitest';
import { readReason, reasonFor } from './reasons.ts';

it('a reason is read back into its code and values, whatever these are', () => {
  const said = reasonFor('loads-from-elsewhere', {
    path: 'vault/a (1).md',
    address: 'https://x.example/(a)',
  });
  expect(said).toBe(
    'it puts into vault/a (1).md what an editor loads from elsewhere (https://x.example/(a))',
  );
  expect(readReason(said)).toEqual({
    code: 'loads-from-elsewhere',
    values: { path: 'vault/a (1).md', address: 'https://x.example/(a)' },
  });
  expect(readReason(reasonFor('removes-text', { count: 12_345 }))).toEqual({
    code: 'removes-text',
    values: { count: '12,345' },
  });
});

it('is known also with what to do about it, and other words are not taken for one', () => {
  expect(readReason(`${reasonFor('no-key', { provider: 'openai' })}; set OPENAI_API_KEY`)).toEqual({
    code: 'no-key',
    values: { provider: 'openai' },
  });
  expect(readReason('the disk is full')).toBeNull();
});
