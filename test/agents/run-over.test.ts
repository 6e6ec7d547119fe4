import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { ChatModel, ChatStep } from '../../packages/vault/src/models/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { processVariables } from '../process-variables.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { anInput } from './agent-vault.ts';

const usage = { input: 0, cached: 0, written: 0, output: 0 };

/** A vault with this model, and how often the model was told that a run is over. */
async function vaultWith(step: () => Promise<ChatStep>) {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  initVault(vault, { language: 'en', home: root, clock: Date.now });
  let closed = 0;
  const model: ChatModel = { name: 'scripted/model', step, close: () => void (closed += 1) };
  const environment = readEnvironment({ ...processVariables, XDG_CONFIG_HOME: join(root, 'config') });
  const keepsake = await openKeepsake({ vault, state, environment, model });
  onTestFinished(async () => void (await keepsake.close()));
  return { keepsake, closed: () => closed };
}

const fails = async (): Promise<never> => {
  throw new Error('the model is gone');
};

it('tells the model that a question is over, also after a failure', async () => {
  const { keepsake, closed } = await vaultWith(fails);
  await expect(keepsake.agents.ask('What?', new AbortController().signal)).rejects.toThrow(
    'the model is gone',
  );
  expect(closed()).toBe(1);
});

it('tells the model that an update is over, also after a failure and when something is to be forgotten', async () => {
  const { keepsake, closed } = await vaultWith(fails);
  const { updates } = keepsake.agents;
  for (const [index, text] of ['The dentist is on 21 July.', 'Forget the phone number of Ada.'].entries()) {
    const { id } = await keepsake.accept(anInput({ text }));
    const runner = updates.start(() => undefined);
    while (updates.find(id)?.reason == null) await new Promise((done) => setTimeout(done, 5));
    await runner.stop();
    expect(closed()).toBeGreaterThan(index);
    await updates.cancel(id);
  }
});

it('tells the model that a question is over once it is answered', async () => {
  const calls = [{ id: '1', toolName: 'search', input: { queries: ['x'], mode: 'fast' }, isInvalid: false }];
  let step = 0;
  const { keepsake, closed } = await vaultWith(async () => {
    step += 1;
    const isFirst = step === 1;
    return {
      text: isFirst ? '' : 'Nothing was found.',
      calls: isFirst ? calls : [],
      rawMessages: null,
      usage,
    };
  });
  await keepsake.agents.ask('What?', new AbortController().signal);
  expect([step, closed()]).toEqual([expect.any(Number), 1]);
});
