import { expect, it } from 'vitest';
import { parseContextLimit } from './parse-context-limit.ts';

it.each([
  ["This model's maximum context length is 32768 tokens. However, you requested 41220 tokens.", 32_768],
  [
    "This model's maximum context length is 32768 tokens. However, you requested 33792 tokens (31744 in the messages, 2048 in the completion).",
    32_768,
  ],
  ['prompt is too long: 208310 tokens > 200000 maximum', 200_000],
  ['input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000', 200_000],
  ['the request exceeds the available context size (8192 tokens), try increasing it', 8_192],
  ['input token count (1,250,000) exceeds the maximum number of tokens allowed (1,048,576).', 1_048_576],
  ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
  ['Input tokens exceed the configured limit of 272000 tokens. They are 300000.', 272_000],
  ['the 8192-token limit is reached', 8_192],
  ['the maximum context length of mistral-small-2409 is 32768 tokens', 32_768],
  ['the context of 41220 tokens is over the limit of 32768', 32_768],
])('is parsed from an error message: %s', (message, expected) => {
  expect(parseContextLimit(message)).toBe(expected);
});

it.each([
  'the context is too long',
  'it is over the limit. 41220 tokens were sent',
  'http://127.0.0.1:1234/v1: the context is too long',
  'the context of mistral-small-2409 is too small',
  '41220 tokens are too many for this context. Ask the operator, reference 20250714.',
  'the context window of v1.5000 is full, at most 20 images',
])('is not confused with another number: %s', (message) => {
  expect(parseContextLimit(message)).toBeNull();
});
