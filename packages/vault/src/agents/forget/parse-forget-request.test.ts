import { describe, expect, it } from 'vitest';
import { parseForgetRequest } from './parse-forget-request.ts';

describe('a request to forget', () => {
  it.each([
    ['Forget that the code of the safe is 7431.', 'the code of the safe is 7431'],
    ['please forget everything about Anna', 'about Anna'],
    ['Keepsake, forget what I told you on Monday!', 'I told you on Monday'],
    ['Oublie que le code du coffre est 7431.', 'le code du coffre est 7431'],
    ['Oublie qu’Anna est malade', 'Anna est malade'],
    ["S'il te plaît, oublie tout ce que j'ai dit d'Anna", "j'ai dit d'Anna"],
    ['Oubliez tout sur Anna.', 'Anna'],
  ])('is recognized in: %s', (text, subject) => {
    expect(parseForgetRequest(text)).toEqual({ subject, isAlone: true });
  });

  it.each([
    "Don't forget that the rent is due.",
    "N'oublie pas que le loyer est dû.",
    'Forget the dentist, call the doctor instead.',
    'I tend to forget that people have names.',
    'Forgetting that day was hard.',
    'Forget that',
  ])('is not recognized in: %s', (text) => {
    expect(parseForgetRequest(text)).toBeNull();
  });

  it.each(['Forget that Anna is ill. Buy milk.', 'Oublie que Anna est malade.\n\n- acheter du lait'])(
    'is not alone in: %s',
    (text) => {
      expect(parseForgetRequest(text)?.isAlone).toBe(false);
    },
  );
});
