import { describe, expect, it } from 'vitest';
import { fillTemplate, parseOption } from './phrasebook.ts';
import type { ProjectKind } from './phrasebook.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { wordPattern } from './values.ts';

const books = [english, french, german];
const kinds = books.flatMap((book) => book.kinds.map((kind) => ({ ...kind, language: book.language })));

/** The texts that every generated project of this kind contains. */
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

describe('the phrasebook', () => {
  it.each(kinds)('has a unique keyword for each task of a project ($language, $title)', (kind) => {
    for (const { todo, done, key } of kind.tasks) {
      expect([todo, done].every((text) => holds(text, key))).toBe(true);
      const others = kind.tasks.flatMap((task) => (task.key === key ? [] : [task.todo, task.done]));
      const options = kind.choices.flatMap((choice) => choice.options).map((each) => parseOption(each).value);
      expect([...fixedTexts(kind), ...others, ...options].filter((text) => holds(text, key))).toEqual([]);
    }
  });

  it.each(kinds)('has unique keywords for each option of a project ($language, $title)', (kind) => {
    const options = kind.choices.flatMap((choice) => choice.options).map(parseOption);
    for (const { value, key } of options) {
      expect(holds(value, key)).toBe(true);
      const others = options.filter((option) => option.value !== value).map((option) => option.value);
      const tasks = kind.tasks.map(({ todo }) => todo);
      expect([...fixedTexts(kind), ...others, ...tasks].filter((text) => holds(text, key))).toEqual([]);
    }
  });

  it.each(books)('has a unique keyword for each task without a project ($language)', ({ tasks }) => {
    for (const { todo, done, key } of tasks) {
      expect([todo, done].every((text) => holds(text, key))).toBe(true);
      expect(tasks.filter((task) => task.key !== key && holds(task.todo, key))).toEqual([]);
    }
  });

  it.each(books)('contains no numbers in its small talk ($language)', ({ chatter }) => {
    expect(
      Object.values(chatter)
        .flat()
        .filter((text) => /\d/.test(text)),
    ).toEqual([]);
  });

  it('rejects a template if a value is missing', () => {
    expect(fillTemplate('{Label} is {value}.', { label: 'the rent', value: '5 €' })).toBe('The rent is 5 €.');
    expect(() => fillTemplate('{label}', {})).toThrow('no value for {label}');
  });
});
