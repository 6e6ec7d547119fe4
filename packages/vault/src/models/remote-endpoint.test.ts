import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModel } from '../../../../test/scripted-model/server.ts';
import { ModelError } from './error.ts';
import { createChatModel } from './providers.ts';

/** The error of a request that the server rejects with this body. */
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
    messages: [{ role: 'user' as const, content: [{ text: 'Hello', images: [] }] }],
    tools: [],
    signal: AbortSignal.timeout(20_000),
  };
  return model.step(request).then(
    () => expect.fail('it was answered'),
    (failure: unknown) => (failure instanceof ModelError ? failure : expect.fail(String(failure))),
  );
}

describe('a context overflow', () => {
  it('is recognized by the error message, not by the URL or the model name', async () => {
    const message = "This model's maximum context length is 32768 tokens. You requested 41220 tokens.";
    expect(await refusal({ message })).toMatchObject({ code: 'too-long', contextTokens: 32_768 });
    expect(await refusal({ message: 'mistral-small-2409: the context is too long' })).toMatchObject({
      code: 'too-long',
      contextTokens: null,
    });
  });

  it('is recognized in the full message, even if the user sees a shortened one', async () => {
    const message = `The input is too long. ${'Please shorten it. '.repeat(20)}The limit is 272000 tokens.`;
    const error = await refusal({ message });
    expect(error.contextTokens).toBe(272_000);
    expect(error.message).not.toContain('272000');
  });

  it('is recognized even if the message contains the API key', async () => {
    const message = 'the-secret sent too many tokens: the limit is 8192 tokens';
    const error = await refusal({ message });
    expect(error).toMatchObject({ code: 'too-long', contextTokens: 8_192 });
    expect(error.message).not.toContain('the-secret');
  });

  it('is recognized by the error code, whatever the message', async () => {
    const message = 'Input tokens exceed the configured limit of 272000 tokens. Please reduce them.';
    expect(await refusal({ message, code: 'context_length_exceeded' })).toMatchObject({
      code: 'too-long',
      contextTokens: 272_000,
    });
  });

  it.each([
    'max_tokens: 16000 > 4096, which is the maximum allowed number of output tokens for the model',
    'max_tokens is too large: 16000. This model supports at most 4096 completion tokens.',
  ])('is not confused with an output limit: %s', async (message) => {
    expect(await refusal({ message })).toMatchObject({ code: 'rejected', contextTokens: null });
  });
});
