import { expect, it } from 'vitest';
import { readSentence } from './read-sentence.ts';

it('readSentence parses the code and values from a message stored by an earlier version', () => {
  expect(readSentence('it removes 12,345 characters of text that are nowhere else')).toEqual({
    code: 'removes-text',
    values: { count: 12_345 },
  });
  expect(
    readSentence('it puts into vault/a.md what an editor loads from elsewhere (https://a.example/x.png)'),
  ).toEqual({
    code: 'loads-from-elsewhere',
    values: { path: 'vault/a.md', address: 'https://a.example/x.png' },
  });
  expect(readSentence('it waits for a decision')).toEqual({ code: 'undecided', values: {} });
});

it('readSentence separates the hint from the message, and returns an unknown message as text', () => {
  expect(readSentence('there is no key for openai; set OPENAI_API_KEY')).toEqual({
    code: 'no-key',
    values: { provider: 'openai' },
    hint: 'set OPENAI_API_KEY',
  });
  expect(readSentence('the disk is full')).toEqual({ code: 'other', values: { text: 'the disk is full' } });
});
