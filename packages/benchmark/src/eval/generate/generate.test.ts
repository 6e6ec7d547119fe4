import { describe, expect, it } from 'vitest';
import { fill, readOption } from './book.ts';
import type { ProjectKind } from './book.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { wordPattern } from './values.ts';

const books = [english, french, german];
const kinds = books.flatMap((book) => book.kinds.map((kind) => ({ ...kind, language: book.language })));

/** All that a project says of itself in every case. */
function fixedTexts({
  about,
  frame,
  figures,
  sums,
  meetings,
  contacts,
  choices,
  title,
}: ProjectKind): string[] {
  return [
    title,
    about,
    ...frame,
    ...figures,
    ...sums,
    ...meetings,
    ...contacts,
    ...choices.map(({ label }) => label),
  ];
}

function holds(text: string, key: string): boolean {
  return new RegExp(wordPattern(key), 'iu').test(text);
}

describe('the words of a language', () => {
  it.each(kinds)('$language, $title: a task is known by a word that only it has', (kind) => {
    for (const { todo, done, key } of kind.tasks) {
      expect([todo, done].every((text) => holds(text, key))).toBe(true);
      const others = kind.tasks.flatMap((task) => (task.key === key ? [] : [task.todo, task.done]));
      const options = kind.choices.flatMap((choice) => choice.options).map((each) => readOption(each).value);
      expect([...fixedTexts(kind), ...others, ...options].filter((text) => holds(text, key))).toEqual([]);
    }
  });

  it.each(kinds)('$language, $title: an option is known by words that nothing else has', (kind) => {
    const options = kind.choices.flatMap((choice) => choice.options).map(readOption);
    for (const { value, key } of options) {
      expect(holds(value, key)).toBe(true);
      const others = options.filter((option) => option.value !== value).map((option) => option.value);
      const tasks = kind.tasks.map(({ todo }) => todo);
      expect([...fixedTexts(kind), ...others, ...tasks].filter((text) => holds(text, key))).toEqual([]);
    }
  });

  it.each(books)('$language: so is one of no project', ({ tasks }) => {
    for (const { todo, done, key } of tasks) {
      expect([todo, done].every((text) => holds(text, key))).toBe(true);
      expect(tasks.filter((task) => task.key !== key && holds(task.todo, key))).toEqual([]);
    }
  });

  it.each(books)('$language: talk names no numbers', ({ chatter }) => {
    expect(
      Object.values(chatter)
        .flat()
        .filter((text) => /\d/.test(text)),
    ).toEqual([]);
  });

  it('a sentence that is not filled is a mistake', () => {
    expect(fill('{Label} is {value}.', { label: 'the rent', value: '5 €' })).toBe('The rent is 5 €.');
    expect(() => fill('{label}', {})).toThrow('nothing is given for {label}');
  });
});
