import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { startHost } from '../../packages/vault/src/server/index.ts';
import { agentVault } from '../agents/agent-vault.ts';
import { processVariables } from '../process-variables.ts';
import { temporaryVault } from '../temporary-vault.ts';
import { call, connectBeside, connectHttp, connectStdio, eras, textOf } from './clients.ts';
import type { Answer } from './clients.ts';
import { mcpVault, servedWithAgents } from './mcp-vault.ts';

const held = /^held, nothing is written yet: it deletes 25 files\. A person decides: keepsake approve /;
const files = Object.fromEntries(
  Array.from({ length: 25 }, (_, index) => [`projects/x/n${index}.md`, `Note ${index}\n`]),
);
const removing = { path: 'projects/x/' };

/** A person who says this, and what they were asked. */
function person(says: ReturnType<Answer>): { answer: Answer; questions: string[] } {
  const questions: string[] = [];
  return { questions, answer: (message) => (questions.push(message), says) };
}

const agreeing = { action: 'accept' as const, content: { approve: true } };

describe.each(eras)('a client that can ask the person (%s)', (era) => {
  it('puts a held change before them, and it is made when they agree', async () => {
    const vault = await mcpVault(files);
    const { answer, questions } = person(agreeing);
    const client = await connectStdio(vault, era, { answer });
    const result = await call(client, 'vault_delete', removing);
    expect(textOf(result)).toBe('the person has approved it: the change is made');
    expect(result.structuredContent).toMatchObject({ changes: [], errors: [] });
    expect(questions).toEqual([
      expect.stringMatching(
        /^Keepsake: a change waits for you: it deletes 25 files\. Approve it\?\n\ndeleted .*\nvault\/projects\/x\/n/s,
      ),
    ]);
    expect(existsSync(join(vault.folder, 'projects/x/n0.md'))).toBe(false);
    const undo = await call(client, 'vault_undo', { id: vault.keepsake.changes.list({ limit: 1 })[0]?.id });
    expect(textOf(undo)).toMatch(/^undid [\da-f-]+, as the change [\da-f]{8}$/);
    expect(existsSync(join(vault.folder, 'projects/x/n0.md'))).toBe(true);
  });

  it('asks what the update agent asks, and takes the answer as the word of the person', async () => {
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
    const { answer, questions } = person({ action: 'accept', content: { answer: 'The one in town.' } });
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
  ['say no', { action: 'accept', content: { approve: false } }],
  ['decline', { action: 'decline' }],
  ['close the question', { action: 'cancel' }],
  ['say something else', { action: 'accept', content: { approve: 'yes' } }],
] as const)('a change stays held when they %s', async (_, says) => {
  const vault = await mcpVault(files, { mayQuotePerson: true });
  const { answer, questions } = person(says);
  const client = await connectHttp(vault.http, 'modern', 'write', answer);
  expect(textOf(await call(client, 'vault_delete', removing))).toMatch(held);
  expect(questions).toHaveLength(1);
  expect(existsSync(join(vault.folder, 'projects/x/n0.md'))).toBe(true);
  expect(vault.keepsake.changes.list({ state: 'held', limit: 2 })).toHaveLength(1);
});

describe('nobody is asked', () => {
  it('by a client that cannot ask', async () => {
    const vault = await mcpVault(files);
    const client = await connectStdio(vault, 'modern');
    expect(textOf(await call(client, 'vault_delete', removing))).toMatch(held);
  });

  it('behind a token, whatever the client says it can do', async () => {
    const vault = await mcpVault(files);
    const { answer, questions } = person(agreeing);
    const client = await connectHttp(vault.http, 'modern', 'write', answer);
    expect(textOf(await call(client, 'vault_delete', removing))).toMatch(held);
    expect(questions).toEqual([]);
  });
});

it('an answer to a question that was never asked approves nothing', async () => {
  const vault = await mcpVault(files, { mayQuotePerson: true });
  const client = await connectHttp(vault.http, 'modern', 'write', person({ action: 'cancel' }).answer);
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

it('asks the person on a connection to the process that serves the vault', async () => {
  const vault = await temporaryVault(files);
  const environment = readEnvironment({ ...processVariables, XDG_CONFIG_HOME: vault.state });
  const where = { vault: vault.folder, state: vault.state, environment, log: () => undefined };
  const host = await startHost({ ...where, onLost: () => undefined });
  onTestFinished(async () => host?.close());
  const client = await connectBeside(where, 'modern', person(agreeing).answer);
  expect(textOf(await call(client, 'vault_delete', removing))).toBe(
    'the person has approved it: the change is made',
  );
  expect(existsSync(join(vault.folder, 'projects/x/n0.md'))).toBe(false);
});
