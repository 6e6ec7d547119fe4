import { expect, it } from 'vitest';
import { parseScopedQuestion, setQuestionFolder } from './scoped-question.ts';

it('parseScopedQuestion separates a folder in front of a question', () => {
  expect(parseScopedQuestion('projects/roof/ When?')).toEqual({ folder: 'projects/roof', words: 'When?' });
  expect(parseScopedQuestion('vault/projects/ When?\nAnd why?')).toEqual({
    folder: 'projects',
    words: 'When?\nAnd why?',
  });
  for (const question of ['When is the roof/ repaired?', 'roof/shed is what?', 'projects/', '/ x', 'Why?'])
    expect(parseScopedQuestion(question)).toBeNull();
});

it('setQuestionFolder sets, replaces and removes the folder', () => {
  expect(setQuestionFolder('When?', 'projects/roof')).toBe('projects/roof/ When?');
  expect(setQuestionFolder('projects/roof/ When?', 'bucket')).toBe('bucket/ When?');
  expect(setQuestionFolder('projects/roof/ When?', '')).toBe('When?');
  expect(setQuestionFolder('', 'bucket')).toBe('bucket/ ');
  expect(setQuestionFolder('bucket/ ', '')).toBe('');
});
