import { describe, expect, it } from 'vitest';
import { isNamed, namedDates } from './named-dates.ts';

describe('dates named in words', () => {
  it.each([
    ['What happened on May 3, 2023?', '2023', '05', '03'],
    ['What happened on 3 May, 2023?', '2023', '05', '03'],
    ['réunion du 1er août 2025', '2025', '08', '01'],
    ['le 14 juillet', null, '07', '14'],
    ['on July 4th', null, '07', '04'],
    ['décisions de décembre 2025', '2025', '12', null],
    ['camping in June', null, '06', null],
  ])('are read in %j', (text, year, month, day) => {
    expect(namedDates(text)).toEqual([{ year, month, day }]);
  });

  it.each(['may I go?', 'sept personnes', 'la planète Mars', 'room 3', '2025-07-14', 'march on'])(
    'are not read into %j',
    (text) => {
      expect(namedDates(text)).toEqual([]);
    },
  );

  it('are days with what was named, and any of the rest', () => {
    expect(isNamed('2025-07-14', namedDates('14 juillet'))).toBe(true);
    expect(isNamed('2025-07-14', namedDates('July 2025'))).toBe(true);
    expect(isNamed('2025-07-14', namedDates('July 2024'))).toBe(false);
    expect(isNamed('2025-07-14', namedDates('15 July'))).toBe(false);
    expect(isNamed('', namedDates('in July'))).toBe(false);
  });
});
