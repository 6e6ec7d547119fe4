import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Update } from '../../packages/vault/src/app/index.ts';
import { createChatModel } from '../../packages/vault/src/models/index.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import { agentVault, anInput } from './agent-vault.ts';
import type { AgentVault, AgentVaultOptions } from './agent-vault.ts';

const soon = { 'retry-after-ms': '1' };

/** How providers report missing credit or a rejected key. */
const final: [string, AgentVaultOptions['protocol'], number, object][] = [
  [
    'a quota of OpenAI that is used up',
    'openai',
    429,
    {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      },
    },
  ],
  [
    'a spend limit of OpenAI',
    'openai',
    429,
    { error: { message: 'The limit is reached.', type: 'x', code: 'project_spend_limit_exceeded' } },
  ],
  ['a 402 as OpenRouter sends it', 'openai', 402, { error: { message: 'Insufficient credits', code: 402 } }],
  [
    'a credit balance of Anthropic that is too low',
    'anthropic',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' },
    },
  ],
  [
    'credits at Google that are depleted',
    'openai',
    429,
    { error: { message: 'Your prepayment credits are depleted.', status: 'RESOURCE_EXHAUSTED', code: 429 } },
  ],
];

const rates: [string, AgentVaultOptions['protocol'], object][] = [
  ['of OpenAI', 'openai', { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }],
  [
    'of Anthropic',
    'anthropic',
    { type: 'error', error: { type: 'rate_limit_error', message: 'This would exceed your rate limit.' } },
  ],
  [
    'of Google, although its message mentions billing',
    'openai',
    {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
        code: 429,
      },
    },
  ],
];

/** Makes one attempt at an update. */
async function attempt({ keepsake }: AgentVault): Promise<Update | undefined> {
  const { updates } = keepsake.agents;
  const { id } = await updates.accept(anInput({ text: 'x' }));
  const runner = updates.start((error) => expect.fail(String(error)));
  await vi.waitUntil(() => (updates.find(id)?.reason ?? null) !== null, { timeout: 20_000 });
  await runner.stop();
  return updates.find(id);
}

describe('a permanent error of a model provider', () => {
  it.each(final)('is not retried: %s', async (_, protocol = 'openai', status, body) => {
    const vault = await agentVault({}, { protocol });
    vault.model.respond(() => ({ fault: 'status', status, headers: soon, body: JSON.stringify(body) }));
    const update = await vault.file({ text: 'x' });
    expect(update).toMatchObject({ state: 'parked', attempts: 1 });
    expect(update.reason?.text).toMatch(/no credit left or limit reached; top up the account/);
    expect(vault.model.requests).toHaveLength(1);
  });

  it.each([401, 403])('is not retried: a rejected key (%i)', async (status) => {
    const vault = await agentVault();
    vault.model.respond(() => ({ fault: 'status', status, headers: soon, body: '{}' }));
    const update = await vault.file({ text: 'x' });
    expect(update).toMatchObject({ state: 'parked', attempts: 1 });
    expect(update.reason?.text).toContain('check the API key');
    expect(vault.model.requests).toHaveLength(1);
  });
});

describe('a rate-limited request', () => {
  it.each(rates)(
    'is retried, and the update then waits: the rate limit %s',
    async (_, protocol = 'openai', body) => {
      const vault = await agentVault({}, { protocol });
      const busy = { fault: 'status', status: 429, headers: soon, body: JSON.stringify(body) } as const;
      vault.model.respond(() => busy);
      expect(await attempt(vault)).toMatchObject({
        state: 'waiting',
        reason: { text: expect.stringContaining('try again later') },
      });
      expect(vault.model.requests).toHaveLength(3);
    },
  );
});

describe('a refused connection', () => {
  it('is reported immediately, without the retries of the SDK', async () => {
    const gone = await startScriptedModel();
    await gone.close();
    // With fake timers, a delay would never end.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const chat = createChatModel({ provider: 'openai-compatible', model: 'm', baseUrl: gone.baseUrl });
    const request = {
      instructions: 'x',
      messages: [{ role: 'user', content: [{ text: 'x', images: [] }] }],
      tools: [],
      signal: new AbortController().signal,
    } as const;
    await expect(chat.step(request)).rejects.toMatchObject({
      code: 'unreachable',
      message: `cannot reach ${gone.baseUrl} (ECONNREFUSED)`,
    });
  });
});
