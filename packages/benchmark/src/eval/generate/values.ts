import { readOption } from './book.ts';
import type { Book } from './book.ts';
import { addDays } from './calendar.ts';
import type { Day } from './calendar.ts';
import type { Names } from './names.ts';
import type { Random } from './random.ts';

/** What something is: as it is written, and a regular expression that knows it however it is written. */
export type Value = { shown: string; pattern: string; day: Day | null; time: string };

export type Values = {
  /** In hundreds of euros, or in thousands. */
  amount: (isLarge: boolean) => Value;
  meeting: (after: Day, within?: [number, number]) => Value;
  person: () => Value;
  option: (options: readonly string[]) => Value;
};

/** No two amounts, times or days are alike within a world, so that each tells what it belongs to. */
export function createValues(book: Book, random: Random, names: Names): Values {
  const endings = new Set<number>();
  const days = new Set<Day>();
  const times = new Set<string>();

  const amount: Values['amount'] = (isLarge) => {
    const thousands = isLarge ? random.pick([1, 3, 4, 5, 6, 7, 8]) : 0;
    const rest = random.between(105, 989);
    // 2026 could be meant, and 840 stands in 1,840.
    if (endings.has(rest)) return amount(isLarge);
    endings.add(rest);
    const euros = thousands * 1000 + rest;
    const digits = String(rest).padStart(3, '0');
    const pattern = thousands === 0 ? digits : `${thousands}[ .,'’]?${digits}`;
    return { shown: book.amount(euros), pattern: `(?<!\\d)${pattern}(?!\\d)`, day: null, time: '' };
  };

  const meeting: Values['meeting'] = (after, within = [15, 90]) => {
    const day = addDays(after, random.between(...within));
    const [hour, minute] = [random.between(8, 20), random.between(1, 11) * 5];
    const time = book.time(hour, minute);
    // Near days may run out; times are what must not.
    if ((days.has(day) && within[1] > 20) || times.has(time)) return meeting(after, within);
    days.add(day);
    times.add(time);
    const date = `(${day}|${book.datePattern(day)}(,? ${day.slice(0, 4)})?)`;
    const clock = book.timePattern(hour, minute);
    const pattern = `${date}[^\\d#]{0,30}(?<!\\d)${clock}|(?<!\\d)${clock}[^\\d#]{0,30}${date}`;
    return { shown: `${day}, ${time}`, pattern, day, time };
  };

  const person = (): Value => {
    const name = names.person();
    return { shown: name, pattern: wordPattern(name.split(' ')[1] ?? name), day: null, time: '' };
  };

  const option: Values['option'] = (options) => {
    const { value, key } = readOption(random.pick(options));
    return { shown: value, pattern: wordPattern(key), day: null, time: '' };
  };

  return { amount, meeting, person, option };
}

/** The word, or one with an ending. */
export function wordPattern(word: string): string {
  return `(?<!\\p{L})${word}\\p{L}{0,2}(?!\\p{L})`;
}
