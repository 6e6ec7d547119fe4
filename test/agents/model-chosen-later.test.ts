import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { startHost } from '../../packages/vault/src/server/index.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import { layOut } from '../temporary-vault.ts';
import { agentVault, anInput } from './agent-vault.ts';
import { keepsake } from './command-line.ts';

const entry = {
  calls: [
    {
      tool: 'append',
      input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## Happened', position: 'top' },
    },
  ],
};

async function anotherModel() {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const configuration = `model: openai-compatible/other\nmodelBaseUrl: ${model.baseUrl}\n`;
  return { model, configuration };
}

it('what was accepted without a model is filed by the process that serves the vault, once there is one', async () => {
  const vault = await agentVault({}, { model: null });
  const { folder, state, variables } = vault;
  delete variables['KEEPSAKE_MODEL_BASE_URL'];
  const logged: object[] = [];
  const host = await startHost({
    vault: folder,
    state,
    environment: readEnvironment(variables),
    log: (line) => void logged.push(line),
    onLost: () => undefined,
  });
  onTestFinished(() => host?.close());
  const { stdout, stderr } = await keepsake(vault, ['add', 'Something happened', '--json']);
  expect(stderr).toBe('');
  const { id } = JSON.parse(stdout) as { id: string };
  expect((await keepsake(vault, ['updates'])).stderr).toBe(
    `what waits is kept, and filed by the process that serves the vault (${process.pid}) as soon as that has a model; here no model is chosen for the agents; choose one with: keepsake config model anthropic/<name>\n`,
  );
  const { updates } = vault.keepsake.agents;
  const { model, configuration } = await anotherModel();
  model.script(entry, { text: 'Filed it.' });
  const configure = (text: string): void =>
    layOut(join(variables['XDG_CONFIG_HOME'] ?? '', 'keepsake'), { 'config.yaml': text });
  // One that is being edited is told of once, until it is another.
  const errors = (): object[] => logged.filter((each) => 'level' in each);
  configure('model: [');
  await vi.waitUntil(() => errors().length > 0, { timeout: 30_000 });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  configure('wrong: 1');
  await vi.waitUntil(() => errors().length > 1, { timeout: 30_000 });
  expect(new Set(errors().map((each) => JSON.stringify(each))).size).toBe(errors().length);
  configure(configuration);
  await vi.waitUntil(() => updates.find(id)?.state === 'done', { timeout: 30_000 });
  expect(updates.find(id)?.result).toMatchObject({ kind: 'filed' });
});

it('add --wait files by itself beside a process that serves the vault without a model', async () => {
  const vault = await agentVault();
  const { folder, state, variables } = vault;
  const { KEEPSAKE_MODEL: _, ...withoutModel } = variables;
  const host = await startHost({
    vault: folder,
    state,
    environment: readEnvironment(withoutModel),
    log: () => undefined,
    onLost: () => undefined,
  });
  onTestFinished(() => host?.close());
  vault.model.script(entry, { text: 'Filed it.' });
  const waited = await keepsake(vault, ['add', 'Something happened', '--wait']);
  expect(waited).toMatchObject({ code: 0, stdout: expect.stringContaining('Filed it.') });
});

it('a model that is chosen while updates are worked on files the next one', async () => {
  const first = await anotherModel();
  const second = await anotherModel();
  const vault = await agentVault({}, { model: null, configuration: first.configuration });
  delete vault.variables['KEEPSAKE_MODEL_BASE_URL'];
  const opened = await openKeepsake({
    vault: vault.folder,
    state: vault.state,
    environment: readEnvironment(vault.variables),
  });
  onTestFinished(async () => void (await opened.close()));
  const { updates } = opened.agents;
  const runner = updates.start((error) => expect.fail(String(error)));
  onTestFinished(() => runner.stop());
  for (const { model, configuration } of [first, second]) {
    layOut(join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake'), { 'config.yaml': configuration });
    model.script(entry, { text: 'Filed it.' });
    const { id } = await updates.accept(anInput({ text: 'Something happened' }));
    await vi.waitUntil(() => updates.find(id)?.state === 'done', { timeout: 30_000 });
    expect(model.requests.length).toBeGreaterThan(0);
  }
});

describe('without a model', () => {
  const withoutModel = [
    ['it is taken out of the configuration', 'limits: { steps: 20 }\n', 'no model is chosen for the agents'],
    ['the configuration is broken', 'model: [1\n', 'cannot be read as YAML'],
  ] as const;

  async function opened(configuration: string) {
    const vault = await agentVault({}, { model: null, configuration });
    delete vault.variables['KEEPSAKE_MODEL_BASE_URL'];
    const environment = readEnvironment(vault.variables);
    const served = await openKeepsake({ vault: vault.folder, state: vault.state, environment });
    onTestFinished(async () => void (await served.close()));
    const configure = (text: string): void =>
      layOut(join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake'), { 'config.yaml': text });
    return { updates: served.agents.updates, configure };
  }

  it.each(withoutModel)('nothing is begun while %s, and it goes on afterwards', async (_, text, problem) => {
    const { model, configuration } = await anotherModel();
    const { updates, configure } = await opened(configuration);
    const errors: unknown[] = [];
    const runner = updates.start((error) => void errors.push(error));
    onTestFinished(() => runner.stop());
    configure(text);
    const { id } = await updates.accept(anInput({ text: 'Something happened' }));
    runner.wake();
    await vi.waitUntil(() => errors.length > 0, { timeout: 30_000 });
    // It looks again, and does not say the same again.
    runner.wake();
    await new Promise((done) => setTimeout(done, 50));
    expect(errors.map(String)).toEqual([expect.stringContaining(problem)]);
    expect(updates.find(id)).toMatchObject({ state: 'waiting', attempts: 0, reason: null });
    model.script(entry, { text: 'Filed it.' });
    configure(configuration);
    runner.wake();
    await vi.waitUntil(() => updates.find(id)?.state === 'done', { timeout: 30_000 });
    expect(updates.find(id)?.attempts).toBe(1);
    expect(errors).toHaveLength(1);
  });

  it.each(withoutModel)('whoever waits for an update is told when %s', async (_, text, problem) => {
    const { model, configuration } = await anotherModel();
    const { updates, configure } = await opened(configuration);
    const first = await updates.accept(anInput({ text: 'Something happened' }));
    const second = await updates.accept(anInput({ text: 'Something else happened' }));
    model.respond(async ({ toolResults }) => {
      configure(text);
      // What was read before counts for a tenth of a second.
      await sleep(150);
      return toolResults.length === 0 ? entry : { text: 'Filed it.' };
    });
    const errors: unknown[] = [];
    const working = updates.work(second.id, AbortSignal.timeout(30_000), (error) => void errors.push(error));
    await expect(working).rejects.toThrow(problem);
    // Which files are kept from models is not known while it is broken, so that one waits with it.
    const isBroken = problem.includes('YAML');
    expect(updates.find(first.id)?.state).toBe(isBroken ? 'waiting' : 'done');
    expect(errors.map(String)).toEqual(isBroken ? [expect.stringContaining(problem)] : []);
    expect(updates.find(second.id)).toMatchObject({ state: 'waiting', attempts: 0 });
  });
});
