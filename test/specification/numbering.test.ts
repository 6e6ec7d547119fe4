import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The number of statements in the three texts of the specification: `concat` (A), `read` (B) and Todo (C). */
const statements = { A: 32, B: 49, C: 56 };
const maxDepartures = 8;

const sources = globSync('test/specification/*.test.ts').map((path) => readFileSync(path, 'utf8'));
const titles = sources.flatMap((text) => [...text.matchAll(/^ *it\('([ABC]\d+) (.+)',/gm)]);

it('every statement of the specification has exactly one test, which says what happens', () => {
  const expected = Object.entries(statements).flatMap(([text, count]) =>
    Array.from({ length: count }, (_, index) => `${text}${index + 1}`),
  );
  const numbers = titles.map(([, number = '']) => number);
  const order = (number: string): number => expected.indexOf(number);
  expect(numbers.toSorted((a, b) => order(a) - order(b))).toEqual(expected);
  expect(numbers).toHaveLength(137);
  expect(new Set(titles.map(([, , behaviour]) => behaviour)).size).toBe(137);
  expect(titles.filter(([, , behaviour = '']) => behaviour.split(' ').length < 3)).toEqual([]);
});

it('at most eight statements depart from the specification, each in the test with its number', () => {
  const departures = sources.flatMap((text) =>
    text.split(/^(?= *it\(')/m).flatMap((part) =>
      [...part.matchAll(/departs\('([ABC]\d+)'/g)].map(([, number]) => ({
        number,
        isInItsTest: new RegExp(`^ *it\\('${number} `).test(part),
      })),
    ),
  );
  expect(departures.filter(({ isInItsTest }) => !isInItsTest)).toEqual([]);
  expect(departures.length).toBeLessThanOrEqual(maxDepartures);
  const decided = readFileSync('docs/adr/0095-departures-from-the-specification.md', 'utf8');
  const listed = [...decided.matchAll(/^\| ([ABC]\d+) \|/gm)].map(([, number]) => number);
  expect(new Set(departures.map(({ number }) => number))).toEqual(new Set(listed));
});
