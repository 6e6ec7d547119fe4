import { expect, it } from 'vitest';
import { statedContext } from './stated-context.ts';

it.each([
  ["This model's maximum context length is 32768 tokens. However, you requested 41220 tokens.", 32_768],
  ['prompt is too long: 208310 tokens > 200000 maximum', 200_000],
  ['the request exceeds the available context size (8192 tokens), try increasing it', 8_192],
  ['input token count (1,250,000) exceeds the maximum number of tokens allowed (1,048,576).', 1_048_576],
  ['answered 400 (the context is too long)', null],
])('is read from the words of a refusal: %s', (message, expected) => {
  expect(statedContext(message)).toBe(expected);
});
