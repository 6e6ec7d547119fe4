import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  resolveAgentModel,
  describeKeySource,
  openKeepsake,
  readEnvironment,
  storeApiKey,
} from '../../packages/vault/src/app/index.ts';
import { describeError } from '../../packages/vault/src/contract/index.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';

type Seen = { path: string; headers: IncomingHttpHeaders; body: string };

/** Records its requests and responds that it does not know the model. */
async function recorder(): Promise<{ origin: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const path = request.url ?? '';
    seen.push({ path, headers: request.headers, body });
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end(path === '/api/chat' ? '{"error":"no such model"}' : '{"error":{"message":"no such model"}}');
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const cases = [
  { model: 'anthropic/m', path: '/messages', header: 'x-api-key', value: 'the-key' },
  { model: 'openai/m', path: '/responses', header: 'authorization', value: 'Bearer the-key' },
  {
    model: 'google/m',
    path: '/models/m:streamGenerateContent?alt=sse',
    header: 'x-goog-api-key',
    value: 'the-key',
  },
  { model: 'mistral/m', path: '/chat/completions', header: 'authorization', value: 'Bearer the-key' },
  {
    model: 'openrouter/maker/m',
    path: '/chat/completions',
    header: 'authorization',
    value: 'Bearer the-key',
  },
  { model: 'ollama/m', path: '/api/chat', header: 'authorization', value: undefined },
  {
    model: 'openai-compatible/m',
    path: '/chat/completions',
    header: 'authorization',
    value: 'Bearer the-key',
  },
];

describe('a request to a provider', () => {
  it.each(cases)(
    'is sent to the configured URL with the configured key ($model)',
    async ({ model, path, header, value }) => {
      const { origin, seen } = await recorder();
      // Environment variables that the packages would read themselves must not matter.
      for (const name of ['ANTHROPIC', 'OPENAI', 'GOOGLE_GENERATIVE_AI', 'MISTRAL', 'OPENROUTER', 'OLLAMA']) {
        vi.stubEnv(`${name}_API_KEY`, 'from-the-environment');
        vi.stubEnv(`${name}_BASE_URL`, 'http://127.0.0.1:1');
      }
      onTestFinished(() => void vi.unstubAllEnvs());
      const root = temporaryFolder();
      layOut(root, { 'vault/a.md': 'a\n' });
      const keepsake = await openKeepsake({
        vault: join(root, 'vault'),
        state: join(root, 'state'),
        environment: readEnvironment({
          PATH: process.env['PATH'],
          XDG_CONFIG_HOME: join(root, 'config'),
          KEEPSAKE_MODEL: model,
          KEEPSAKE_MODEL_BASE_URL: origin,
          KEEPSAKE_MODEL_API_KEY: 'the-key',
        }),
      });
      onTestFinished(async () => void (await keepsake.close()));
      await expect(keepsake.agents.ask('What?', new AbortController().signal)).rejects.toThrow(
        /404|no such model/,
      );
      expect(seen[0]?.path).toBe(path);
      expect(seen[0]?.headers[header]).toBe(value);
      expect(JSON.stringify(seen)).not.toContain('from-the-environment');
      expect(seen[0]?.body).toContain('You are the search agent of Keepsake');
      for (const tool of ['tree', 'read', 'search', 'concat'])
        expect(seen[0]?.body).toContain(`"name":"${tool}"`);
      expect(seen[0]?.body).not.toContain('"name":"write"');
    },
  );
});

describe('the model of the agents', () => {
  const choose = (variables: Record<string, string>, configuration = '') => {
    const folder = temporaryFolder();
    layOut(folder, { 'keepsake/config.yaml': configuration });
    return resolveAgentModel(readEnvironment({ XDG_CONFIG_HOME: folder, ...variables }));
  };

  it.each([
    ['no model is configured', {}, ''],
    ['unknown provider in model', { KEEPSAKE_MODEL: 'gpt-x' }, ''],
    ['unknown provider in model', {}, 'model: someone/m'],
    ['needs a base URL', { KEEPSAKE_MODEL: 'openai-compatible/m' }, ''],
    ['no API key for anthropic; set ANTHROPIC_API_KEY', { KEEPSAKE_MODEL: 'anthropic/m' }, ''],
  ])('is not available, for this reason: %s', (reason, variables, configuration) => {
    const chosen = choose(variables, configuration);
    expect('missing' in chosen && describeError(chosen.missing)).toContain(reason);
  });

  it('does not send the key of one provider to the URL configured for another', () => {
    const configuration = 'model: openai-compatible/m\nmodelBaseUrl: http://127.0.0.1:9/v1';
    const other = choose({ KEEPSAKE_MODEL: 'anthropic/m', ANTHROPIC_API_KEY: 'k' }, configuration);
    expect(other).toMatchObject({ model: { endpoint: { baseUrl: 'https://api.anthropic.com/v1' } } });
    const same = choose({ KEEPSAKE_MODEL: 'openai-compatible/n' }, configuration);
    expect(same).toMatchObject({ model: { endpoint: { baseUrl: 'http://127.0.0.1:9/v1' } } });
  });

  it('takes prices and limits from the configuration', () => {
    expect(
      choose(
        { OPENAI_API_KEY: 'k' },
        'model: openai/m\nprices: { input: 1, output: 2 }\nlimits: { steps: 5 }',
      ),
    ).toMatchObject({
      model: { name: 'openai/m', endpoint: { baseUrl: 'https://api.openai.com/v1', apiKey: 'k' } },
      prices: { input: 1, output: 2 },
      limits: { steps: 5, tokens: 250_000, minutes: 10 },
    });
  });

  it('has a known context size if it is configured or requested from Ollama', () => {
    expect(choose({ OPENAI_API_KEY: 'k' }, 'model: openai/m')).toMatchObject({ contextTokens: null });
    expect(choose({ OPENAI_API_KEY: 'k' }, 'model: openai/m\ncontext: 32000')).toMatchObject({
      contextTokens: 32_000,
    });
    expect(choose({}, 'model: ollama/m')).toMatchObject({ contextTokens: 32_768 });
  });

  it('may be silent for ten minutes on a private machine, otherwise for two, unless configured', () => {
    const timeout = (variables: Record<string, string>, configuration = '') => {
      const chosen = choose({ OPENAI_API_KEY: 'k', ...variables }, configuration);
      return 'missing' in chosen ? chosen : [chosen.model.timeoutSeconds, chosen.limits.minutes];
    };
    const local = { KEEPSAKE_MODEL: 'ollama/m' };
    expect(timeout({ KEEPSAKE_MODEL: 'openai/m' })).toEqual([120, 10]);
    expect(timeout(local)).toEqual([600, 30]);
    expect(timeout({ ...local, KEEPSAKE_MODEL_BASE_URL: 'https://ollama.example.org' })).toEqual([120, 10]);
    expect(timeout({}, 'model: openai/m\nmodelTimeout: 900\nlimits: { minutes: 5 }')).toEqual([900, 5]);
    expect(timeout(local, 'model: openai/m\nmodelTimeout: 900')).toEqual([600, 30]);
    expect(timeout({ ...local, KEEPSAKE_MODEL_TIMEOUT: '30' }, 'modelTimeout: 900')).toEqual([30, 10]);
    expect(() => timeout({ ...local, KEEPSAKE_MODEL_TIMEOUT: 'long' })).toThrow('KEEPSAKE_MODEL_TIMEOUT');
  });

  it('ignores the configured context and prices if the environment names another model', () => {
    const configuration = 'model: openai/m\ncontext: 32000\nprices: { input: 1, output: 2 }';
    const other = { KEEPSAKE_MODEL: 'mistral/m', KEEPSAKE_MODEL_API_KEY: 'k' };
    expect(choose(other, configuration)).toMatchObject({ contextTokens: null, prices: null });
    const same = { KEEPSAKE_MODEL: 'openai/m', KEEPSAKE_MODEL_API_KEY: 'k' };
    const known = { contextTokens: 32_000, prices: { input: 1, output: 2 } };
    expect(choose(same, configuration)).toMatchObject(known);
    // Without a model in the configuration, they can only belong to this one.
    expect(choose(other, 'context: 32000\nprices: { input: 1, output: 2 }')).toMatchObject(known);
  });

  it.each([
    ['', 32_768],
    ['context: 65536', 65_536],
    ['model: ollama/other\ncontext: 65536', 32_768],
  ])('requests the context size from Ollama: %s', async (configuration, wanted) => {
    const { origin, seen } = await recorder();
    const chosen = choose({ KEEPSAKE_MODEL: 'ollama/m', KEEPSAKE_MODEL_BASE_URL: origin }, configuration);
    if ('missing' in chosen) throw chosen.missing;
    const messages = [{ role: 'user', content: [{ text: 'x', images: [] }] }] as const;
    const { signal } = new AbortController();
    await expect(chosen.model.step({ instructions: 'x', messages, tools: [], signal })).rejects.toThrow(
      '404',
    );
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ options: { num_ctx: wanted } });
  });

  it('reads its key from a private file and rejects a file that others can read', () => {
    const environment = readEnvironment({ XDG_CONFIG_HOME: temporaryFolder(), KEEPSAKE_MODEL: 'mistral/m' });
    const file = storeApiKey(environment, 'mistral', ' k2 \n');
    expect(resolveAgentModel(environment)).toMatchObject({ model: { endpoint: { apiKey: 'k2' } } });
    expect(describeKeySource(environment, 'mistral')).toBe(`from ${file}`);
    chmodSync(file, 0o644);
    expect(() => resolveAgentModel(environment)).toThrow(
      expect.objectContaining({
        message: `${file} is readable by other users`,
        hint: `run: chmod 600 '${file}'`,
      }),
    );
    // Storing a key makes the file private again, whatever its mode was before.
    storeApiKey(environment, 'mistral', 'k3');
    expect(resolveAgentModel(environment)).toMatchObject({ model: { endpoint: { apiKey: 'k3' } } });
  });
});
