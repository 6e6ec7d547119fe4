import { expect, it } from 'vitest';
import { convertLineEnds } from './line-ends.ts';

it('gives new lines of a file the line ends of the others', () => {
  const { shown, store } = convertLineEnds('one\r\ntwo\r\n');
  expect(shown).toBe('one\ntwo\n');
  expect(store('one\nnew\ntwo\n')).toBe('one\r\nnew\r\ntwo\r\n');
  expect(store('one\npasted\r\n')).toBe('one\r\npasted\r\n');
});

it.each(['', 'one', 'one\ntwo\n', 'one\r\ntwo\n', 'a\rb\r\n', 'a\r\r\n'])(
  'keeps %j byte for byte',
  (text) => {
    const { shown, store } = convertLineEnds(text);
    expect(store(shown)).toBe(text);
    expect(shown).toBe(text);
  },
);
