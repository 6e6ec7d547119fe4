import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openKeepsake, readEnvironment } from '../../src/app/index.ts';
import { startHost } from '../../src/server/index.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import { layOut } from '../temporary-vault.ts';
import { agentVault, anInput } from './agent-vault.ts';

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
  const { folder: vault, state, keepsake, variables } = await agentVault({}, { model: null });
  delete variables['KEEPSAKE_MODEL_BASE_URL'];
  const host = await startHost({
    vault,
    state,
    environment: readEnvironment(variables),
    log: () => undefined,
    onLost: () => undefined,
  });
  onTestFinished(() => host?.close());
  const { updates } = keepsake.agents;
  const { id } = updates.accept(anInput({ text: 'Something happened' }));
  const { model, configuration } = await anotherModel();
  model.script(entry, { text: 'Filed it.' });
  layOut(join(variables['XDG_CONFIG_HOME'] ?? '', 'keepsake'), { 'config.yaml': configuration });
  await vi.waitUntil(() => updates.find(id)?.state === 'done', { timeout: 30_000 });
  expect(updates.find(id)?.result).toMatchObject({ kind: 'filed' });
});

it('a model that is chosen while updates are worked on files the next one', async () => {
  const first = await anotherModel();
  const second = await anotherModel();
  const vault = await agentVault({}, { model: null, configuration: first.configuration });
  delete vault.variables['KEEPSAKE_MODEL_BASE_URL'];
  const keepsake = await openKeepsake({
    vault: vault.folder,
    state: vault.state,
    environment: readEnvironment(vault.variables),
  });
  onTestFinished(async () => void (await keepsake.close()));
  const { updates } = keepsake.agents;
  const runner = updates.start((error) => expect.fail(String(error)));
  onTestFinished(() => runner.stop());
  for (const { model, configuration } of [first, second]) {
    layOut(join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake'), { 'config.yaml': configuration });
    model.script(entry, { text: 'Filed it.' });
    const { id } = updates.accept(anInput({ text: 'Something happened' }));
    await vi.waitUntil(() => updates.find(id)?.state === 'done', { timeout: 30_000 });
    expect(model.requests.length).toBeGreaterThan(0);
  }
});
