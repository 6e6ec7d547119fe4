import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModel } from '../../../../test/scripted-model/server.ts';
import type { ScriptedModel } from '../../../../test/scripted-model/server.ts';
import type { ProviderName } from './model-config.ts';
import { createChatModel } from './providers.ts';
import type { RemoteChatModel } from './providers.ts';

async function aServer(): Promise<ScriptedModel> {
  const server = await startScriptedModel();
  onTestFinished(() => server.close());
  return server;
}

function modelAt(server: ScriptedModel, provider: ProviderName, contextTokens?: number): RemoteChatModel {
  const baseUrl = provider === 'ollama' ? server.origin : server.baseUrl;
  return createChatModel({ provider, model: 'm', baseUrl, apiKey: 'the-secret', contextTokens });
}

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

/** The response of each provider, the context size in it, and the request. */
const catalogues: [string, ProviderName, string, object, number | null, object][] = [
  [
    'Anthropic',
    'anthropic',
    '/models/m',
    { id: 'm', max_input_tokens: 200_000 },
    200_000,
    { 'x-api-key': 'the-secret' },
  ],
  [
    'OpenAI, which reports no context size',
    'openai',
    '/models/m',
    { id: 'm' },
    null,
    { authorization: 'Bearer the-secret' },
  ],
  [
    'Google',
    'google',
    '/models/m',
    { inputTokenLimit: 1_048_576 },
    1_048_576,
    { 'x-goog-api-key': 'the-secret' },
  ],
  [
    'Mistral',
    'mistral',
    '/models/m',
    { max_context_length: 131_072 },
    131_072,
    { authorization: 'Bearer the-secret' },
  ],
  ['OpenRouter', 'openrouter', '/models', { data: [{ id: 'm', context_length: 64_000 }] }, 64_000, {}],
  [
    'Ollama, for a model with a small context',
    'ollama',
    '/api/show',
    { model_info: { 'qwen3.context_length': 8_192 } },
    8_192,
    {},
  ],
  [
    'Ollama, which allocates less than the model supports',
    'ollama',
    '/api/show',
    { model_info: { 'qwen3.context_length': 40_960 } },
    32_768,
    {},
  ],
  ['vLLM', 'openai-compatible', '/models', { data: [{ id: 'm', max_model_len: 16_384 }] }, 16_384, {}],
  [
    'llama.cpp, which allocates less than the model supports and accepts any model name',
    'openai-compatible',
    '/models',
    { data: [{ id: 'x.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072, n_ctx: 8_192 } }] },
    8_192,
    {},
  ],
  ['a server with an unknown response', 'openai-compatible', '/models', { data: 'none' }, null, {}],
  [
    'a server with an invalid context size',
    'openai-compatible',
    '/models',
    { data: [{ id: 'm', context_length: -1 }, null, 3] },
    null,
    {},
  ],
];

describe('model information', () => {
  it.each(catalogues)('is read from %s', async (_, provider, path, body, contextTokens, headers) => {
    const server = await aServer();
    server.tell(path, body);
    server.tell('/key', { data: {} });
    const facts = await modelAt(server, provider).fetchInfo(soon());
    expect(facts).toEqual({ contextTokens, others: null });
    expect(server.inquiries.at(-1)).toMatchObject({
      headers,
      method: provider === 'ollama' ? 'POST' : 'GET',
    });
    // Nothing was generated.
    expect(server.requests).toEqual([]);
  });

  it('contains the configured context size if the server allocates as much as requested', async () => {
    const server = await aServer();
    server.tell('/api/show', { model_info: { 'qwen3.context_length': 131_072 } });
    expect((await modelAt(server, 'ollama', 65_536).fetchInfo(soon())).contextTokens).toBe(65_536);
  });

  it('lists the available models if the configured one is not among them', async () => {
    const server = await aServer();
    server.tell('/models', { data: [{ id: 'a' }, { id: 'b' }] });
    expect(await modelAt(server, 'openai-compatible').fetchInfo(soon())).toEqual({
      contextTokens: null,
      others: ['a', 'b'],
    });
  });
});

describe('a model server', () => {
  const failureOf = async (model: RemoteChatModel, signal = soon()): Promise<Error> =>
    model.fetchInfo(signal).then(
      (facts) => expect.fail(JSON.stringify(facts)),
      (error: unknown) => error as Error,
    );

  it.each([
    ['/models', 'openai-compatible', 401, 'refused'],
    ['/key', 'openrouter', 401, 'refused'],
    ['/models/m', 'mistral', 404, 'rejected'],
    ['/models/m', 'openai', 503, 'unavailable'],
    // The redirect is not followed, so that the key is not sent elsewhere.
    ['/models/m', 'anthropic', 307, 'rejected'],
  ] as const)(
    'that rejects %s (%s, %i) causes an error without the key in its message',
    async (path, provider, status, code) => {
      const server = await aServer();
      server.tell(path, { error: { message: 'you sent the-secret' } }, status);
      const error = await failureOf(modelAt(server, provider));
      expect(error).toMatchObject({
        code,
        message: `${server.baseUrl} returned HTTP ${status} (you sent [key])`,
      });
      expect(inspect(error, { depth: 10 })).not.toContain('the-secret');
      expect(server.inquiries).toHaveLength(1);
    },
  );

  it('that rejects a wrong key with status 400, as Google does, causes an error about the key', async () => {
    const server = await aServer();
    const details = [{ reason: 'API_KEY_INVALID' }];
    server.tell('/models/m', { error: { message: 'No.', details } }, 400);
    expect(await failureOf(modelAt(server, 'google'))).toMatchObject({
      code: 'refused',
      hint: 'check the API key and its permissions',
    });
  });

  it.each(['<p>Welcome</p>', '', '"fine"', 'null', '{"error":"Unexpected endpoint or method."}'])(
    'that responds with %j causes an error',
    async (body) => {
      const server = await aServer();
      server.tell('/models', body);
      const error = await failureOf(modelAt(server, 'openai-compatible'));
      expect(error).toMatchObject({ code: 'bad-answer', message: expect.stringContaining(server.baseUrl) });
    },
  );

  it('that is unreachable or does not respond causes an error', async () => {
    const gone = await startScriptedModel();
    await gone.close();
    expect(await failureOf(modelAt(gone, 'openai-compatible'))).toMatchObject({ code: 'unreachable' });
    const silent = await aServer();
    expect(await failureOf(modelAt(silent, 'openai-compatible'), AbortSignal.abort())).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('did not respond in time'),
    });
  });
});
