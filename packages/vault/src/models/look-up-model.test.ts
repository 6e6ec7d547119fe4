import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModel } from '../../../../test/scripted-model/server.ts';
import type { ScriptedModel } from '../../../../test/scripted-model/server.ts';
import type { ProviderName } from './model.ts';
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

/** What each provider says, how much that is, and how it was asked. */
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
    'OpenAI, which does not say',
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
    'Ollama, of a small model',
    'ollama',
    '/api/show',
    { model_info: { 'qwen3.context_length': 8_192 } },
    8_192,
    {},
  ],
  [
    'Ollama, asked for less',
    'ollama',
    '/api/show',
    { model_info: { 'qwen3.context_length': 40_960 } },
    32_768,
    {},
  ],
  ['vLLM', 'openai-compatible', '/models', { data: [{ id: 'm', max_model_len: 16_384 }] }, 16_384, {}],
  [
    'llama.cpp, which was trained for more and answers to any name',
    'openai-compatible',
    '/models',
    { data: [{ id: 'x.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072, n_ctx: 8_192 } }] },
    8_192,
    {},
  ],
  ['something else', 'openai-compatible', '/models', { data: 'none' }, null, {}],
  [
    'nonsense',
    'openai-compatible',
    '/models',
    { data: [{ id: 'm', context_length: -1 }, null, 3] },
    null,
    {},
  ],
];

describe('what is known about a model', () => {
  it.each(catalogues)('%s', async (_, provider, path, body, contextTokens, headers) => {
    const server = await aServer();
    server.tell(path, body);
    server.tell('/key', { data: {} });
    const facts = await modelAt(server, provider).lookUp(soon());
    expect(facts).toEqual({ contextTokens, others: null });
    expect(server.inquiries.at(-1)).toMatchObject({
      headers,
      method: provider === 'ollama' ? 'POST' : 'GET',
    });
    // Nothing was generated.
    expect(server.requests).toEqual([]);
  });

  it('is what is configured where a server makes as much room as it is told to', async () => {
    const server = await aServer();
    server.tell('/api/show', { model_info: { 'qwen3.context_length': 131_072 } });
    expect((await modelAt(server, 'ollama', 65_536).lookUp(soon())).contextTokens).toBe(65_536);
  });

  it('is what else there is, where it is not listed', async () => {
    const server = await aServer();
    server.tell('/models', { data: [{ id: 'a' }, { id: 'b' }] });
    expect(await modelAt(server, 'openai-compatible').lookUp(soon())).toEqual({
      contextTokens: null,
      others: ['a', 'b'],
    });
  });
});

describe('a server that is asked about a model', () => {
  const failureOf = async (model: RemoteChatModel, signal = soon()): Promise<Error> =>
    model.lookUp(signal).then(
      (facts) => expect.fail(JSON.stringify(facts)),
      (error: unknown) => error as Error,
    );

  it.each([
    ['/models', 'openai-compatible', 401, 'refused'],
    ['/key', 'openrouter', 401, 'refused'],
    ['/models/m', 'mistral', 404, 'rejected'],
    ['/models/m', 'openai', 503, 'unavailable'],
    // It is not followed, lest the key goes elsewhere.
    ['/models/m', 'anthropic', 307, 'rejected'],
  ] as const)('may refuse %s (%s, %i), and the key is not shown', async (path, provider, status, code) => {
    const server = await aServer();
    server.tell(path, { error: { message: 'you sent the-secret' } }, status);
    const error = await failureOf(modelAt(server, provider));
    expect(error).toMatchObject({ code, message: `${server.baseUrl} answered ${status} (you sent [key])` });
    expect(inspect(error, { depth: 10 })).not.toContain('the-secret');
    expect(server.inquiries).toHaveLength(1);
  });

  it('may say of a wrong key that the request is bad, as Google does', async () => {
    const server = await aServer();
    const details = [{ reason: 'API_KEY_INVALID' }];
    server.tell('/models/m', { error: { message: 'No.', details } }, 400);
    expect(await failureOf(modelAt(server, 'google'))).toMatchObject({
      code: 'refused',
      mend: 'check the API key and what it may use',
    });
  });

  it.each(['<p>Welcome</p>', '', '"fine"', 'null', '{"error":"Unexpected endpoint or method."}'])(
    'has told nothing with %j',
    async (body) => {
      const server = await aServer();
      server.tell('/models', body);
      const error = await failureOf(modelAt(server, 'openai-compatible'));
      expect(error).toMatchObject({ code: 'bad-answer', message: expect.stringContaining(server.baseUrl) });
    },
  );

  it('may be gone, or silent', async () => {
    const gone = await startScriptedModel();
    await gone.close();
    expect(await failureOf(modelAt(gone, 'openai-compatible'))).toMatchObject({ code: 'unreachable' });
    const silent = await aServer();
    expect(await failureOf(modelAt(silent, 'openai-compatible'), AbortSignal.abort())).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('silent for too long'),
    });
  });
});
