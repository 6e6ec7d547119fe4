import { expect, it } from 'vitest';
import { shiftDates } from './shift-dates.ts';

it.each([
  ['created: 2026-06-18T18:06:00', 'created: 2026-07-02T18:06:00'],
  ['vault/inbox/2026-06-16-devis/review.md', 'vault/inbox/2026-06-30-devis/review.md'],
  ['beacon-test-2025-12.md', 'beacon-test-2025-12.md'],
  ['in 2026-12', 'in 2026-12'],
  ['31 December 2025', '14 January 2026'],
  ['le 24 juin, le 17 juin', 'le 8 juillet, le 1er juillet'],
  ['le 1er juillet 2026', 'le 15 juillet 2026'],
  ['In September and in May 2025', 'In September and in May 2025'],
  ['carnet-de-mai-2026, 12 marsouins, 192.2026-06', 'carnet-de-mai-2026, 12 marsouins, 192.2026-06'],
])('moves %j by two weeks', (before, after) => {
  expect(shiftDates(before, 14, 2026)).toBe(after);
});

it('moves months by what most of their days move', () => {
  expect(shiftDates('en mars, en Août 2025, 2026-11', 154, 2026)).toBe('en août, en Janvier 2026, 2027-04');
});
