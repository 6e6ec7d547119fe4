import { parseOption } from './phrasebook.ts';
import type { Phrasebook } from './phrasebook.ts';
import { addDays } from './calendar.ts';
import type { Day } from './calendar.ts';
import type { Names } from './names.ts';
import type { Random } from './random.ts';

/** A value as written, and a regular expression that matches it in any notation. */
export type GeneratedValue = { shown: string; pattern: string; day: Day | null; time: string };

export type ValueGenerator = {
  /** An amount in the hundreds of euros, or in the thousands if large. */
  amount: (isLarge: boolean) => GeneratedValue;
  meeting: (after: Day, within?: [number, number]) => GeneratedValue;
  person: () => GeneratedValue;
  option: (options: readonly string[]) => GeneratedValue;
};

/** Amounts and times are unique within a world, so that each identifies its fact. */
export function createValues(book: Phrasebook, random: Random, names: Names): ValueGenerator {
  const endings = new Set<number>();
  const days = new Set<Day>();
  const times = new Set<string>();

  const amount: ValueGenerator['amount'] = (isLarge) => {
    const thousands = isLarge ? random.pick([1, 3, 4, 5, 6, 7, 8]) : 0;
    const rest = random.between(105, 989);
    // The last three digits are unique, because 1,840 also contains 840. No amount is between 2,000 and 2,999,
    // because 2,026 could be a year.
    if (endings.has(rest)) return amount(isLarge);
    endings.add(rest);
    const euros = thousands * 1000 + rest;
    const digits = String(rest).padStart(3, '0');
    const pattern = thousands === 0 ? digits : `${thousands}[ .,'’]?${digits}`;
    return { shown: book.amount(euros), pattern: `(?<!\\d)${pattern}(?!\\d)`, day: null, time: '' };
  };

  const meeting: ValueGenerator['meeting'] = (after, within = [15, 90]) => {
    const day = addDays(after, random.between(...within));
    const [hour, minute] = [random.between(8, 20), random.between(1, 11) * 5];
    const time = book.time(hour, minute);
    // Days may repeat in a short range, which could run out of them; times must always be unique.
    if ((days.has(day) && within[1] > 20) || times.has(time)) return meeting(after, within);
    days.add(day);
    times.add(time);
    const date = `(${day}|${book.datePattern(day)}(,? ${day.slice(0, 4)})?)`;
    const clock = book.timePattern(hour, minute);
    const pattern = `${date}[^\\d#]{0,30}(?<!\\d)${clock}|(?<!\\d)${clock}[^\\d#]{0,30}${date}`;
    return { shown: `${day}, ${time}`, pattern, day, time };
  };

  const person = (): GeneratedValue => {
    const name = names.person();
    return { shown: name, pattern: wordPattern(name.split(' ')[1] ?? name), day: null, time: '' };
  };

  const option: ValueGenerator['option'] = (options) => {
    const { value, key } = parseOption(random.pick(options));
    return { shown: value, pattern: wordPattern(key), day: null, time: '' };
  };

  return { amount, meeting, person, option };
}

/** Matches the word with or without an inflectional ending. */
export function wordPattern(word: string): string {
  return `(?<!\\p{L})${word}\\p{L}{0,2}(?!\\p{L})`;
}
