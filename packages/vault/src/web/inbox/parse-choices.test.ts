import { expect, it } from 'vitest';
import { parseChoices } from './parse-choices.ts';

const choicesOf = (question: string): string[] | string | null => {
  const parsed = parseChoices(`# Call\n\n## What came in\nA call or a letter?\n\n## Question\n${question}\n`);
  return parsed === null ? null : parsed.kind === 'yes-no' ? 'yes-no' : parsed.texts;
};

it.each([
  ['Is it startup-x or garden?', ['startup-x', 'garden']],
  ['Is this for the house or for the garden?', ['for the house', 'for the garden']],
  [
    'Is the licence change in this note the one of open-almanac (Apache 2.0) or the embargo of tidewatch?',
    ['the one of open-almanac (Apache 2.0)', 'the embargo of tidewatch'],
  ],
  ['Where does it belong: house, garden, or shed?', ['house', 'garden', 'shed']],
  [
    'Ce devis de 384 € est-il pour la longère ou pour l’atelier vélo ?',
    ['pour la longère', 'pour l’atelier vélo'],
  ],
  ['**Est-ce la longère ou l’atelier ?**', ['la longère', 'l’atelier']],
])('parseChoices reads the alternatives of “%s”', (question, expected) => {
  expect(choicesOf(question)).toEqual(expected);
});

it.each([
  ['Is it startup-x?', 'yes-no'],
  ['**La démo est-elle pour le client pilote de startup-x ?**', 'yes-no'],
  ['Should I remove these lines?', 'yes-no'],
])('parseChoices offers yes and no for “%s”', (question, expected) => {
  expect(choicesOf(question)).toBe(expected);
});

it.each([
  'Which project?',
  'Which version should be kept, or how should they be combined?',
  'Should the note about the roof go to house or the garden?',
  'Is the note about the roof or the garden?',
  'Is it for Anna or not?',
  'Is it A or B or C?',
  'Is it for the house, as you said on Monday, or for the garden?',
  'Should I move it or keep it in the bucket?',
  'Is it (the house or the garden)?',
  'Is it safe to delete this or should I keep it?',
  'Quel client ?',
  'Is this yours? Or for Anna?',
  'Please answer.',
])('parseChoices offers nothing for “%s”', (question) => {
  expect(choicesOf(question)).toBeNull();
});
