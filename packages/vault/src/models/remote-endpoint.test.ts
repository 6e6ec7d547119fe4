import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModel } from '../../../../test/scripted-model/server.ts';
import { ModelError } from './error.ts';
import { createChatModel } from './providers.ts';

/** What a model answers to a request that its server refuses with this body. */
async function refusal(error: object, status = 400): Promise<ModelError> {
  const server = await startScriptedModel();
  onTestFinished(() => server.close());
  server.script({ fault: 'status', status, body: JSON.stringify({ error }) });
  const model = createChatModel({
    provider: 'openai-compatible',
    model: 'mistral-small-2409',
    baseUrl: server.baseUrl,
    apiKey: 'the-secret',
  });
  const request = {
    instructions: 'Keep notes.',
    messages: [{ role: 'user' as const, contents: [{ text: 'Hello', images: [] }] }],
    tools: [],
    signal: AbortSignal.timeout(20_000),
  };
  return model.step(request).then(
    () => expect.fail('it was answered'),
    (failure: unknown) => (failure instanceof ModelError ? failure : expect.fail(String(failure))),
  );
}

describe('a text that is longer than the model takes', () => {
  it('is told by the words of the server, and by neither its address nor the name of its model', async () => {
    const message = "This model's maximum context length is 32768 tokens. You requested 41220 tokens.";
    expect(await refusal({ message })).toMatchObject({ code: 'too-long', contextTokens: 32_768 });
    expect(await refusal({ message: 'mistral-small-2409: the context is too long' })).toMatchObject({
      code: 'too-long',
      contextTokens: null,
    });
  });

  it('is told in the whole of what the server said, also where a person reads less of it', async () => {
    const message = `The input is too long. ${'Please shorten it. '.repeat(20)}The limit is 272000 tokens.`;
    const error = await refusal({ message });
    expect(error.contextTokens).toBe(272_000);
    expect(error.message).not.toContain('272000');
  });

  it('is told also when the server repeats the key', async () => {
    const message = 'the-secret sent too many tokens: the limit is 8192 tokens';
    const error = await refusal({ message });
    expect(error).toMatchObject({ code: 'too-long', contextTokens: 8_192 });
    expect(error.message).not.toContain('the-secret');
  });

  it('is known by its code, whatever the words are', async () => {
    const message = 'Input tokens exceed the configured limit of 272000 tokens. Please reduce them.';
    expect(await refusal({ message, code: 'context_length_exceeded' })).toMatchObject({
      code: 'too-long',
      contextTokens: 272_000,
    });
  });

  it.each([
    'max_tokens: 16000 > 4096, which is the maximum allowed number of output tokens for the model',
    'max_tokens is too large: 16000. This model supports at most 4096 completion tokens.',
  ])('is not what an answer would be that is too long: %s', async (message) => {
    expect(await refusal({ message })).toMatchObject({ code: 'rejected', contextTokens: null });
  });
});
