import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startScriptedModel } from '../scripted-model/server.ts';
import { layOut } from '../temporary-vault.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';
import { keepsake } from './command-line.ts';

/** A vault without a model, and a server to choose one from. */
async function withoutModel(): Promise<AgentVault> {
  const vault = await agentVault({}, { model: null });
  for (const name of ['KEEPSAKE_MODEL_BASE_URL', 'KEEPSAKE_MODEL_API_KEY']) delete vault.variables[name];
  return vault;
}

function configured({ variables }: AgentVault): unknown {
  return parse(readFileSync(join(variables['XDG_CONFIG_HOME'] ?? '', 'keepsake/config.yaml'), 'utf8'));
}

const report = { calls: [{ tool: 'report', input: { left: 'yellow', right: 'blue' } }] };

describe('keepsake config model', () => {
  it('tests the model and reports its capabilities, context and prices', async () => {
    const vault = await withoutModel();
    vault.model.script(report);
    vault.model.tell('/models', { data: [{ id: 'm', max_model_len: 40_960 }] });
    const url = vault.model.baseUrl;
    const prices = ['--input', '3', '--output', '15', '--cache-write', '3.75'];
    const chosen = await keepsake(vault, ['config', 'model', 'openai-compatible/m', '--url', url, ...prices]);
    expect(chosen).toMatchObject({ code: 0, stderr: 'testing openai-compatible/m\n' });
    expect(chosen.stdout).toMatch(
      /prices +\{"input":3,"output":15,"cacheWrite":3.75\}\ncontext +40960\n[^]*test +answered in [\d.]+ s \(\d+ input tokens, \d+ output tokens\)\nreply +report \{"left":"yellow","right":"blue"\}\ntools +work\nimages +work\n$/,
    );
    expect(configured(vault)).toEqual({
      model: 'openai-compatible/m',
      modelBaseUrl: url,
      context: 40_960,
      prices: { input: 3, output: 15, cacheWrite: 3.75 },
    });
    // No vault content is sent.
    expect(vault.model.requests[0]?.rawBody).not.toContain('overview');
  });

  it('changes only the given settings if no model is named, and tests the current model again', async () => {
    const vault = await withoutModel();
    const url = vault.model.baseUrl;
    await keepsake(vault, ['config', 'model', 'openai-compatible/m', '--url', url, '--no-test']);
    expect(vault.model.requests).toEqual([]);
    const model = { model: 'openai-compatible/m', modelBaseUrl: url };
    expect(configured(vault)).toEqual(model);
    vault.model.script(report, report);
    vault.model.tell('/models', { data: [{ id: 'm', max_model_len: 40_960 }] });
    expect(await keepsake(vault, ['config', 'model', '--context', '8000'])).toMatchObject({ code: 0 });
    expect(await keepsake(vault, ['config', 'model'])).toMatchObject({ code: 0 });
    // The user's setting wins.
    expect(configured(vault)).toEqual({ ...model, context: 8_000 });
    expect(await keepsake(vault, ['config', 'model', '--cached', '1'])).toMatchObject({
      code: 2,
      stderr: 'error: --input and --output must be used together\n',
    });
    for (const price of [
      ['--input', '3', '--output', '15', '--cached', '0.3'],
      ['--cache-write', '3.75'],
      ['--output', '12'],
    ])
      await keepsake(vault, ['config', 'model', '--no-test', ...price]);
    expect(configured(vault)).toMatchObject({
      prices: { input: 3, output: 12, cachedInput: 0.3, cacheWrite: 3.75 },
    });
    await keepsake(vault, ['config', 'model', 'openai-compatible/m', '--no-test']);
    expect(configured(vault)).not.toHaveProperty('prices');
  });

  it('sets how long the model may be silent', async () => {
    const vault = await withoutModel();
    const args = ['config', 'model', 'openai-compatible/m', '--url', vault.model.baseUrl, '--no-test'];
    expect((await keepsake(vault, args)).stdout).toMatch(/^timeout +600 s$/m);
    expect((await keepsake(vault, [...args, '--timeout', '1200'])).stdout).toMatch(/^timeout +1200 s$/m);
    expect(configured(vault)).toMatchObject({ modelTimeout: 1200 });
    expect(await keepsake(vault, [...args, '--timeout', '0'])).toMatchObject({ code: 2 });
  });

  it('does not save a model that fails its test, explains the problem and exits with 1', async () => {
    const vault = await withoutModel();
    const gone = await startScriptedModel();
    await gone.close();
    const failures: [string[], string][] = [
      [['openai-compatible/m', '--url', gone.baseUrl], '(ECONNREFUSED); check that the server is running'],
      [
        ['openai-compatible/m'],
        'needs a base URL; set it with: keepsake config model openai-compatible/m --url',
      ],
      [['mistral/m'], 'no API key for mistral; set MISTRAL_API_KEY, or run: keepsake config key mistral'],
    ];
    for (const [args, reason] of failures) {
      const chosen = await keepsake(vault, ['config', 'model', ...args]);
      expect(chosen.code).toBe(1);
      expect(chosen.stderr).toContain('error: the model cannot be used: ');
      expect(chosen.stderr).toContain(reason);
      expect(chosen.stderr).toMatch(/not saved; to save it without a test: .* --no-test\n$/);
    }
    const working = ['config', 'model', 'openai-compatible/n', '--url', vault.model.baseUrl, '--no-test'];
    await keepsake(vault, working);
    const before = configured(vault);
    for (const [args] of failures) await keepsake(vault, ['config', 'model', ...args]);
    expect(configured(vault)).toEqual(before);
  });

  it('says that the agents need another model if this one does not call tools', async () => {
    const vault = await withoutModel();
    vault.model.script({ text: 'I see yellow and blue.' });
    const url = vault.model.baseUrl;
    const chosen = await keepsake(vault, ['config', 'model', 'openai-compatible/m', '--url', url]);
    expect(chosen.code).toBe(1);
    expect(chosen.stdout).toContain('reply     I see yellow and blue.\ntools     not supported');
    expect(chosen.stderr).toContain('the agents need a model that calls tools; choose another one');
    expect(chosen.stderr).toContain('the model was not saved');
    const saved = await keepsake(vault, [
      'config',
      'model',
      'openai-compatible/m',
      '--url',
      url,
      '--no-test',
    ]);
    expect(saved.stdout).toMatch(/^prices +unknown, so the daily limit is in tokens; set with:/m);
  });
});

describe('keepsake doctor', () => {
  const agents = async (vault: AgentVault, model: string, url?: string) => {
    const variables = {
      ...vault.variables,
      KEEPSAKE_MODEL: model,
      ANTHROPIC_API_KEY: 'the-key',
    };
    layOut(join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake'), {
      'config.yaml': url === undefined ? '' : `modelBaseUrl: ${url}\n`,
    });
    const { code, stdout } = await keepsake({ ...vault, variables }, ['doctor', '--json']);
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
    return { code, ...checks.find(({ name }) => name === 'agents') };
  };

  it('asks the provider about the model and the key without generating anything', async () => {
    const vault = await withoutModel();
    vault.model.tell('/models/m', { id: 'm' });
    expect(await agents(vault, 'anthropic/m', vault.model.baseUrl)).toMatchObject({
      code: 0,
      status: 'ok',
      message: expect.stringMatching(
        /^anthropic\/m at .*, key from ANTHROPIC_API_KEY; it responds; test it with one question: keepsake config model$/,
      ),
    });
    expect(await agents(vault, 'anthropic/other', vault.model.baseUrl)).toMatchObject({
      code: 1,
      status: 'failed',
      hint: 'check the URL and that the server has the model other',
    });
    vault.model.tell('/models/m', { error: { message: 'invalid x-api-key' } }, 401);
    expect(await agents(vault, 'anthropic/m', vault.model.baseUrl)).toMatchObject({
      code: 1,
      status: 'failed',
      hint: 'check the API key and its permissions',
    });
    expect(vault.model.requests).toEqual([]);
  });

  it('only warns about a server that cannot be reached, returns nothing or does not list the model', async () => {
    const vault = await withoutModel();
    vault.model.tell('/models', { data: [{ id: 'a' }, { id: 'b' }] });
    expect(await agents(vault, 'openai-compatible/m', vault.model.baseUrl)).toMatchObject({
      code: 0,
      status: 'warning',
      message: expect.stringMatching(/does not list this model; available: a, b$/),
    });
    vault.model.tell('/models', '<p>Welcome</p>');
    expect(await agents(vault, 'openai-compatible/m', vault.model.baseUrl)).toMatchObject({
      code: 0,
      status: 'warning',
      message: `openai-compatible/m: m at ${vault.model.baseUrl} returned no model information`,
    });
    const gone = await startScriptedModel();
    await gone.close();
    expect(await agents(vault, 'openai-compatible/m', gone.baseUrl)).toMatchObject({
      code: 0,
      status: 'warning',
      message: `openai-compatible/m: cannot reach ${gone.baseUrl} (ECONNREFUSED)`,
    });
  });

  it('fails if the configured model is not available', async () => {
    const vault = await withoutModel();
    expect(await agents(vault, 'mistral/m')).toMatchObject({
      code: 1,
      status: 'failed',
      message: 'no API key for mistral',
    });
    expect(await agents(vault, 'openai-compatible/m')).toMatchObject({ code: 1, status: 'failed' });
  });
});
