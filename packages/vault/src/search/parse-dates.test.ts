import { describe, expect, it } from 'vitest';
import { matchesDate, parseDates } from './parse-dates.ts';

describe('dates in words', () => {
  it.each([
    ['What happened on May 3, 2023?', '2023', '05', '03'],
    ['What happened on 3 May, 2023?', '2023', '05', '03'],
    ['réunion du 1er août 2025', '2025', '08', '01'],
    ['le 14 juillet', null, '07', '14'],
    ['on July 4th', null, '07', '04'],
    ['décisions de décembre 2025', '2025', '12', null],
    ['camping in June', null, '06', null],
    ['Was war am 14. Juli 2025?', '2025', '07', '14'],
    ['seit März', null, '03', null],
    ['Rechnung vom 14.07.2025', '2025', '07', '14'],
    ['facture du 3/12/2025', '2025', '12', '03'],
    ['invoice of 07/14/2025', '2025', '07', '14'],
  ])('are recognized in %j', (text, year, month, day) => {
    expect(parseDates(text)).toEqual([{ year, month, day }]);
  });

  it.each([
    'may I go?',
    'sept personnes',
    'la planète Mars',
    'room 3',
    '2025-07-14',
    'march on',
    '30/31/2025',
  ])('are not recognized in %j', (text) => {
    expect(parseDates(text)).toEqual([]);
  });

  it('match any value for the parts that were omitted', () => {
    expect(matchesDate('2025-07-14', parseDates('14 juillet'))).toBe(true);
    expect(matchesDate('2025-07-14', parseDates('July 2025'))).toBe(true);
    expect(matchesDate('2025-07-14', parseDates('July 2024'))).toBe(false);
    expect(matchesDate('2025-07-14', parseDates('15 July'))).toBe(false);
    expect(matchesDate('', parseDates('in July'))).toBe(false);
  });
});
