import { expect, it } from 'vitest';
import { monthNames, weekdayNames } from './date-names.ts';

it('has the long and short names of Unicode in every language', () => {
  const namesOf = (part: 'month' | 'weekday', date: Date): Set<string> =>
    new Set(
      ['en', 'fr', 'de'].flatMap((language) =>
        (['long', 'short'] as const).map((length) =>
          new Intl.DateTimeFormat(language, { [part]: length })
            .format(date)
            .normalize('NFD')
            .replaceAll(/\p{M}|\./gu, '')
            .toLowerCase(),
        ),
      ),
    );
  expect(monthNames.map((names) => new Set(names))).toEqual(
    monthNames.map((_, index) => namesOf('month', new Date(2024, index, 1))),
  );
  // 2024-01-01 was a Monday.
  expect(weekdayNames.map((names) => new Set(names))).toEqual(
    weekdayNames.map((_, index) => namesOf('weekday', new Date(2024, 0, index + 1))),
  );
});
