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
  it('tries the model, and tells what it can, what it takes and what it costs', async () => {
    const vault = await withoutModel();
    vault.model.script(report);
    vault.model.tell('/models', { data: [{ id: 'm', max_model_len: 40_960 }] });
    const url = vault.model.baseUrl;
    const prices = ['--input', '3', '--output', '15', '--cache-write', '3.75'];
    const chosen = await keepsake(vault, ['config', 'model', 'openai-compatible/m', '--url', url, ...prices]);
    expect(chosen).toMatchObject({ code: 0, stderr: 'trying openai-compatible/m\n' });
    expect(chosen.stdout).toMatch(
      /prices +\{"input":3,"output":15,"cacheWrite":3.75\}\ncontext +40960\n[^]*tried +it answered in [\d.]+ s \(\d+ tokens read, \d+ written\)\nreply +report \{"left":"yellow","right":"blue"\}\ntools +work\nimages +work\n$/,
    );
    expect(configured(vault)).toEqual({
      model: 'openai-compatible/m',
      modelBaseUrl: url,
      context: 40_960,
      prices: { input: 3, output: 15, cacheWrite: 3.75 },
    });
    // Nothing of the vault is sent.
    expect(vault.model.requests[0]?.rawBody).not.toContain('overview');
  });

  it('changes what is given and tries again, when no model is named', async () => {
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
    // What the person says counts.
    expect(configured(vault)).toEqual({ ...model, context: 8_000 });
    expect(await keepsake(vault, ['config', 'model', '--cached', '1'])).toMatchObject({
      code: 2,
      stderr: 'error: a price needs both: --input and --output\n',
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

  it('keeps a choice that does not work, says why and what to do, and exits with 1', async () => {
    const vault = await withoutModel();
    const gone = await startScriptedModel();
    await gone.close();
    const failures: [string[], string][] = [
      [['openai-compatible/m', '--url', gone.baseUrl], '(ECONNREFUSED); is the server running?'],
      [
        ['openai-compatible/m'],
        'needs an address; give it with: keepsake config model openai-compatible/m --url',
      ],
      [
        ['mistral/m'],
        'there is no key for mistral; set MISTRAL_API_KEY, or run: keepsake config key mistral',
      ],
    ];
    for (const [args, reason] of failures) {
      const chosen = await keepsake(vault, ['config', 'model', ...args]);
      expect(chosen.code).toBe(1);
      expect(chosen.stderr).toContain('error: the choice is kept, but the model cannot be used: ');
      expect(chosen.stderr).toContain(reason);
      expect(chosen.stderr).toMatch(/once that is mended, try it again with: keepsake config model\n$/);
      expect(configured(vault)).toMatchObject({ model: args[0] });
    }
  });

  it('says of a model that calls no tools that the agents need another', async () => {
    const vault = await withoutModel();
    vault.model.script({ text: 'I see yellow and blue.' });
    const url = vault.model.baseUrl;
    const chosen = await keepsake(vault, ['config', 'model', 'openai-compatible/m', '--url', url]);
    expect(chosen.code).toBe(1);
    expect(chosen.stdout).toContain('reply     I see yellow and blue.\ntools     do not work');
    expect(chosen.stdout).toMatch(
      /^prices +not known, so that the daily limit is one of tokens; set them with:/m,
    );
    expect(chosen.stderr).toContain('the agents need a model that calls tools; choose another one');
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

  it('asks the provider whether it knows the model and the key, and has nothing generated', async () => {
    const vault = await withoutModel();
    vault.model.tell('/models/m', { id: 'm' });
    expect(await agents(vault, 'anthropic/m', vault.model.baseUrl)).toMatchObject({
      code: 0,
      status: 'ok',
      message: expect.stringMatching(/^anthropic\/m at .*, key from ANTHROPIC_API_KEY; it answers$/),
    });
    expect(await agents(vault, 'anthropic/other', vault.model.baseUrl)).toMatchObject({
      code: 1,
      status: 'failed',
      mend: 'check the address, and that the server has the model other',
    });
    vault.model.tell('/models/m', { error: { message: 'invalid x-api-key' } }, 401);
    expect(await agents(vault, 'anthropic/m', vault.model.baseUrl)).toMatchObject({
      code: 1,
      status: 'failed',
      mend: 'check the API key and what it may use',
    });
    expect(vault.model.requests).toEqual([]);
  });

  it('warns of a server that cannot be reached, tells nothing or does not list the model: the vault is in order', async () => {
    const vault = await withoutModel();
    vault.model.tell('/models', { data: [{ id: 'a' }, { id: 'b' }] });
    expect(await agents(vault, 'openai-compatible/m', vault.model.baseUrl)).toMatchObject({
      code: 0,
      status: 'warning',
      message: expect.stringMatching(/does not list this model; it has a, b$/),
    });
    vault.model.tell('/models', '<p>Welcome</p>');
    expect(await agents(vault, 'openai-compatible/m', vault.model.baseUrl)).toMatchObject({
      code: 0,
      status: 'warning',
      message: `openai-compatible/m: m at ${vault.model.baseUrl} told nothing when it was asked about its models`,
    });
    const gone = await startScriptedModel();
    await gone.close();
    expect(await agents(vault, 'openai-compatible/m', gone.baseUrl)).toMatchObject({
      code: 0,
      status: 'warning',
      message: `openai-compatible/m: ${gone.baseUrl} cannot be reached or broke off (ECONNREFUSED)`,
    });
  });

  it('fails a model that is chosen and cannot be had', async () => {
    const vault = await withoutModel();
    expect(await agents(vault, 'mistral/m')).toMatchObject({
      code: 1,
      status: 'failed',
      message: 'there is no key for mistral',
    });
    expect(await agents(vault, 'openai-compatible/m')).toMatchObject({ code: 1, status: 'failed' });
  });
});
