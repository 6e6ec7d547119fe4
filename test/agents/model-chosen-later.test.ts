import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { startVaultHost } from '../../packages/vault/src/server/index.ts';
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

it('updates accepted without a model are filed by the serving process once there is a model', async () => {
  const vault = await agentVault({}, { model: null });
  const { folder, state, variables } = vault;
  delete variables['KEEPSAKE_MODEL_BASE_URL'];
  const logged: object[] = [];
  const host = await startVaultHost({
    vault: folder,
    state,
    environment: readEnvironment(variables),
    log: (line) => void logged.push(line),
    onLeaseLost: () => undefined,
  });
  onTestFinished(() => host?.close());
  const { stdout, stderr } = await keepsake(vault, ['add', 'Something happened', '--json']);
  expect(stderr).toBe('');
  const { id } = JSON.parse(stdout) as { id: string };
  expect((await keepsake(vault, ['updates'])).stderr).toContain(
    `kept in the queue: process ${process.pid} will file the waiting updates once it has a model; here: no model is configured for the agents; choose one with: keepsake config model `,
  );
  const { updates } = vault.keepsake.agents;
  const { model, configuration } = await anotherModel();
  model.script(entry, { text: 'Filed it.' });
  const configure = (text: string): void =>
    layOut(join(variables['XDG_CONFIG_HOME'] ?? '', 'keepsake'), { 'config.yaml': text });
  // A configuration that is being edited is reported once until the problem changes.
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

it('keepsake add --wait files the update itself if the serving process has no model', async () => {
  const vault = await agentVault();
  const { folder, state, variables } = vault;
  const { KEEPSAKE_MODEL: _, ...withoutModel } = variables;
  const host = await startVaultHost({
    vault: folder,
    state,
    environment: readEnvironment(withoutModel),
    log: () => undefined,
    onLeaseLost: () => undefined,
  });
  onTestFinished(() => host?.close());
  vault.model.script(entry, { text: 'Filed it.' });
  const waited = await keepsake(vault, ['add', 'Something happened', '--wait']);
  expect(waited).toMatchObject({ code: 0, stdout: expect.stringContaining('Filed it.') });
});

it('a model that is chosen while updates are being processed is used for the next update', async () => {
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

describe('a queue without a model', () => {
  const withoutModel = [
    ['no model is configured', 'limits: { steps: 20 }\n', 'no model is configured for the agents'],
    ['the configuration is broken', 'model: [1\n', 'is not valid YAML'],
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

  it.each(withoutModel)('starts no update while %s, and continues afterwards', async (_, text, problem) => {
    const { model, configuration } = await anotherModel();
    const { updates, configure } = await opened(configuration);
    const errors: unknown[] = [];
    const runner = updates.start((error) => void errors.push(error));
    onTestFinished(() => runner.stop());
    configure(text);
    const { id } = await updates.accept(anInput({ text: 'Something happened' }));
    runner.wake();
    await vi.waitUntil(() => errors.length > 0, { timeout: 30_000 });
    // The runner checks again without repeating the message.
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

  it.each(withoutModel)('notifies a waiting client when %s', async (_, text, problem) => {
    const { model, configuration } = await anotherModel();
    const { updates, configure } = await opened(configuration);
    const first = await updates.accept(anInput({ text: 'Something happened' }));
    const second = await updates.accept(anInput({ text: 'Something else happened' }));
    model.respond(async ({ toolResults }) => {
      configure(text);
      // The configuration is cached for a tenth of a second.
      await sleep(150);
      return toolResults.length === 0 ? entry : { text: 'Filed it.' };
    });
    const errors: unknown[] = [];
    const working = updates.work(second.id, AbortSignal.timeout(30_000), (error) => void errors.push(error));
    await expect(working).rejects.toThrow(problem);
    // With a broken configuration the hidden files are unknown, so updates wait, too.
    const isBroken = problem.includes('YAML');
    expect(updates.find(first.id)?.state).toBe(isBroken ? 'waiting' : 'done');
    expect(errors.map(String)).toEqual(isBroken ? [expect.stringContaining(problem)] : []);
    expect(updates.find(second.id)).toMatchObject({ state: 'waiting', attempts: 0 });
  });
});
