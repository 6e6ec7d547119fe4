import { describe, expect, it } from 'vitest';
import { createFactMatchers } from './text-matcher.ts';

const today = '2026-06-05';

describe('a fact in another notation', () => {
  it.each([
    ['fr', 'livraison le 11/09', '2026-09-11'],
    ['fr', 'livraison le 2026-09-11', '11 septembre'],
    ['en', 'due Sept 30, 2025', '2025-09-30'],
    ['en', 'due Dec 20', '2025-12-20'],
    ['de', 'bis 10.4. gültig', '10. April'],
    ['de', 'um 7.45 Uhr', '7:45'],
    ['en', 'at 5.30 pm', '17:30'],
    ['fr', 'à 14h30', '14:30'],
    ['en', 'costs €62', '62 €'],
    ['fr', '45 euros', '45 €'],
    ['en', '9,200 €', '9200 €'],
    ['en', 'two kilos of garlic', '2 kilos'],
    ['en', 'twenty-four chairs', '24 chairs'],
  ] as const)('is recognized: %s, %j is %j', (language, line, fact) => {
    const matches = createFactMatchers(language, today)({ text: fact });
    expect(matches(line)).toBe(true);
  });

  it.each([
    ['fr', 'livraison le 12/09', '2026-09-11'],
    ['en', 'due Sept 30, 2024', '2025-09-30'],
    ['en', 'at 5.30', '17:30'],
    ['en', 'version 2.75', '2026-02-75'],
    ['en', 'one kilo', '1 kilo'],
  ] as const)('is not another fact: %s, %j is not %j', (language, line, fact) => {
    const matches = createFactMatchers(language, today)({ text: fact });
    expect(matches(line)).toBe(false);
  });

  it('is found by a pattern, and dates without a year stay if the day is unknown', () => {
    const spec = { pattern: '3 novembre|2025-11-03' };
    expect(createFactMatchers('fr', '2025-07-01')(spec)('le 03/11')).toBe(true);
    expect(createFactMatchers('fr', undefined)(spec)('le 03/11')).toBe(false);
  });
});
