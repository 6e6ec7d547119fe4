import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { startVaultHost } from '../../packages/vault/src/server/index.ts';
import { agentVault } from '../agents/agent-vault.ts';
import { processVariables } from '../process-variables.ts';
import { temporaryVault } from '../temporary-vault.ts';
import { call, connectBeside, connectHttp, connectStdio, eras, textOf } from './clients.ts';
import type { Answer } from './clients.ts';
import { mcpVault, servedWithAgents } from './mcp-vault.ts';

const held = /^held for approval, nothing written: this deletes 25 files\. To approve: keepsake approve /;
const files = Object.fromEntries(
  Array.from({ length: 25 }, (_, index) => [`projects/x/n${index}.md`, `Note ${index}\n`]),
);
const removing = { path: 'projects/x/' };

/** A simulated user who gives this answer, and the questions they were asked. */
function simulateUser(says: ReturnType<Answer>): { answer: Answer; questions: string[] } {
  const questions: string[] = [];
  return { questions, answer: (message) => (questions.push(message), says) };
}

const agreeing = { action: 'accept' as const, content: { approve: true } };

describe.each(eras)('elicitation (%s)', (era) => {
  it('asks the user to approve a held change and applies it on approval', async () => {
    const vault = await mcpVault(files);
    const { answer, questions } = simulateUser(agreeing);
    const client = await connectStdio(vault, era, { answer });
    const result = await call(client, 'vault_delete', removing);
    expect(textOf(result)).toBe('the user approved the change; it was applied');
    expect(result.structuredContent).toMatchObject({ changes: [], errors: [] });
    expect(questions).toEqual([
      expect.stringMatching(
        /^Keepsake: a change needs your approval: this deletes 25 files\. Approve\?\n\ndeleted .*\nvault\/projects\/x\/n/s,
      ),
    ]);
    expect(existsSync(join(vault.folder, 'projects/x/n0.md'))).toBe(false);
    const undo = await call(client, 'vault_undo', { id: vault.keepsake.changes.list({ limit: 1 })[0]?.id });
    expect(textOf(undo)).toMatch(/^undid [\da-f-]+ \(change [\da-f]{8}\)$/);
    expect(existsSync(join(vault.folder, 'projects/x/n0.md'))).toBe(true);
  });

  it('passes on the question of the update agent and attributes the answer to the user', async () => {
    const vault = await agentVault();
    const entry = { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## The garden', position: 'top' };
    const task = { path: 'vault/tasks.md', content: '# Water it\n', position: 'bottom' };
    vault.model.respond(({ userTexts }, index) => {
      const [item] = /vault\/inbox\/[\w-]+/.exec(userTexts.join('\n')) ?? [];
      const review = { path: `${item}/review.md`, content: 'Which garden?\n' };
      const written = index === 0 ? { tool: 'write', input: review } : { tool: 'append', input: task };
      return index % 2 === 0
        ? { calls: [written, { tool: 'append', input: entry }] }
        : { text: index === 1 ? 'Asked.' : 'Filed.' };
    });
    const { answer, questions } = simulateUser({ action: 'accept', content: { answer: 'The one in town.' } });
    const runner = vault.keepsake.agents.updates.start((error) => console.error(error));
    onTestFinished(() => runner.stop());
    const client = await connectStdio(servedWithAgents(vault), era, { answer });
    const result = await call(client, 'memory_update', { text: 'Water the garden.', wait_seconds: 60 });
    expect(questions).toEqual(['Keepsake asks:\n\nWhich garden?']);
    expect(textOf(result)).toMatch(/^filed: Filed\./);
    const [answered] = vault.keepsake.agents.updates.list({ limit: 1 });
    expect(answered?.input).toMatchObject({
      text: 'The one in town.',
      source: { kind: 'person', name: 'test-client' },
    });
    expect(vault.text('tasks.md')).toContain('Water it');
  });
});

it.each([
  ['answers no', { action: 'accept', content: { approve: false } }],
  ['declines', { action: 'decline' }],
  ['closes the form', { action: 'cancel' }],
  ['gives an invalid answer', { action: 'accept', content: { approve: 'yes' } }],
] as const)('elicitation keeps a change held when the user %s', async (_, says) => {
  const vault = await mcpVault(files, { trustsUserClaims: true });
  const { answer, questions } = simulateUser(says);
  const client = await connectHttp(vault.http, 'modern', 'write', { answer });
  expect(textOf(await call(client, 'vault_delete', removing))).toMatch(held);
  expect(questions).toHaveLength(1);
  expect(existsSync(join(vault.folder, 'projects/x/n0.md'))).toBe(true);
  expect(vault.keepsake.changes.list({ state: 'held', limit: 2 })).toHaveLength(1);
});

describe('elicitation', () => {
  it('is disabled for a client that does not support it', async () => {
    const vault = await mcpVault(files);
    const client = await connectStdio(vault, 'modern');
    expect(textOf(await call(client, 'vault_delete', removing))).toMatch(held);
  });

  it('is disabled for token clients, whatever capabilities they declare', async () => {
    const vault = await mcpVault(files);
    const { answer, questions } = simulateUser(agreeing);
    const client = await connectHttp(vault.http, 'modern', 'write', { answer });
    expect(textOf(await call(client, 'vault_delete', removing))).toMatch(held);
    expect(questions).toEqual([]);
  });
});

it('a forged elicitation response is rejected', async () => {
  const vault = await mcpVault(files, { trustsUserClaims: true });
  const client = await connectHttp(vault.http, 'modern', 'write', simulateUser({ action: 'cancel' }));
  await call(client, 'vault_delete', removing);
  const [waiting] = vault.keepsake.changes.list({ state: 'held', limit: 1 });
  const payload = { p: { change: waiting?.id, reason: '' }, exp: Math.floor(Date.now() / 1000) + 60 };
  const forged = `v1.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${'A'.repeat(43)}`;
  const answered = client.request({
    method: 'tools/call',
    params: {
      name: 'vault_delete',
      arguments: removing,
      requestState: forged,
      inputResponses: { person: agreeing },
    },
  });
  await expect(answered).rejects.toThrow('Invalid or expired requestState');
  expect(vault.keepsake.changes.list({ state: 'held', limit: 2 })).toHaveLength(1);
  expect(existsSync(join(vault.folder, 'projects/x/n0.md'))).toBe(true);
});

it('elicitation works through a connection to the process that serves the vault', async () => {
  const vault = await temporaryVault(files);
  const environment = readEnvironment({ ...processVariables, XDG_CONFIG_HOME: vault.state });
  const where = { vault: vault.folder, state: vault.state, environment, log: () => undefined };
  const host = await startVaultHost({ ...where, onLeaseLost: () => undefined });
  onTestFinished(async () => host?.close());
  const client = await connectBeside(where, 'modern', simulateUser(agreeing).answer);
  expect(textOf(await call(client, 'vault_delete', removing))).toBe(
    'the user approved the change; it was applied',
  );
  expect(existsSync(join(vault.folder, 'projects/x/n0.md'))).toBe(false);
});
