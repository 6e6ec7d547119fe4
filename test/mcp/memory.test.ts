import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { agentVault, looking } from '../agents/agent-vault.ts';
import type { AgentVault, AgentVaultOptions } from '../agents/agent-vault.ts';
import type { Turn } from '../scripted-model/server.ts';
import { call, connectHttp, connectStdio, eras, textOf } from './clients.ts';
import type { Era } from './clients.ts';
import { servedWithAgents } from './mcp-vault.ts';

const files = { 'projects/x/state.md': '## State\n\nWe dropped the external API.\n' };

const add = (path: string, content: string, position: 'top' | 'bottom') => ({
  tool: 'append',
  input: { path, content, position },
});

const filing: Turn[] = [
  { calls: [add('projects/x/state.md', 'A local model.', 'bottom')] },
  { calls: [add('changelog.md', '# 2025-07-14\n\n## A local model\nYes.', 'top')] },
  { text: 'Filed in the state of x.' },
];

type Connecting = AgentVaultOptions & { works?: boolean; scope?: 'read' | 'write'; era?: Era };

/** A vault whose updates are worked on, with a client over HTTP. */
async function connected({
  works = true,
  scope = 'write',
  era = 'modern',
  ...options
}: Connecting = {}): Promise<{ vault: AgentVault; client: Client; errors: unknown[] }> {
  const vault = await agentVault(files, options);
  const { http, errors } = servedWithAgents(vault);
  if (works) {
    const runner = vault.keepsake.agents.updates.start((error) => console.error(error));
    onTestFinished(() => runner.stop());
  }
  return { vault, client: await connectHttp(http, era, scope), errors };
}

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('memory_'));

type Status = { id: string; state: string; result: { kind: string } | null };

describe('the agents as tools', () => {
  it('are there with a model, without updating where it is read-only, and with instructions of their own', async () => {
    const { client } = await connected();
    expect(await namesOf(client)).toEqual(['memory_search', 'memory_update', 'memory_status']);
    expect(client.getInstructions()).toContain('memory_update');
    const { client: reader } = await connected({ scope: 'read' });
    expect(await namesOf(reader)).toEqual(['memory_search', 'memory_status']);
    expect(reader.getInstructions()).not.toContain('memory_update');
    const filingPrompt = await client.getPrompt({ name: 'file_conversation' });
    expect(JSON.stringify(filingPrompt)).toContain('memory_update');
  });

  it('answer a question with the source lines', async () => {
    const { vault, client } = await connected();
    await client.listTools();
    vault.model.script({
      text: 'The API is gone.\nSee the state of x.',
      calls: [{ tool: 'concat', input: { files: [{ path: 'projects/x/state.md', lines: '3-3' }] } }],
    });
    const result = await call(client, 'memory_search', { question: 'What about the API?' });
    expect(textOf(result)).toBe(
      'The API is gone.\nSee the state of x.\n\n---\n\n```vault/projects/x/state.md (lines 3-3)\n3  | We dropped the external API.\n```',
    );
    expect(result.structuredContent).toEqual({
      document: textOf(result),
      blocks: [{ path: 'vault/projects/x/state.md', start: 3, end: 3, revision: expect.any(String) }],
      isCited: true,
      notes: [],
    });
    expect(result.isError).toBeFalsy();
  });

  it('say that it is an error when nothing in the vault was cited', async () => {
    const { vault, client } = await connected();
    await client.listTools();
    vault.model.script(looking, { text: 'It says nothing.\nI searched everywhere.' });
    const result = await call(client, 'memory_search', { question: 'What about the moon?' });
    expect(textOf(result)).toBe(
      'It says nothing.\nI searched everywhere.\n\nnote: nothing in the vault was cited',
    );
    expect(result).toMatchObject({ isError: true, structuredContent: { isCited: false, blocks: [] } });
  });

  it.each(eras)('file an update and wait for it (%s)', async (era) => {
    const { vault, client } = await connected({ era });
    await client.listTools();
    vault.model.script(...filing);
    const result = await call(client, 'memory_update', {
      text: 'A local model replaces it.',
      from_person: true,
    });
    expect(textOf(result)).toMatch(/^filed: Filed in the state of x\.\nvault\//);
    expect(result.structuredContent).toMatchObject({ state: 'done', result: { kind: 'filed' } });
    expect(vault.text('projects/x/state.md')).toContain('A local model.');
    const { id } = result.structuredContent as Status;
    expect(vault.keepsake.agents.updates.find(id)?.input.source).toEqual({
      // Behind a token nobody can tell whether the person said it.
      kind: 'other',
      // A 2025-era client over HTTP says who it is only once, to nobody who would remember it.
      name: era === 'modern' ? 'test-client' : 'mcp',
    });
  });

  it('give a handle when it takes longer, and tell later what became of it', async () => {
    const { vault, client } = await connected({ works: false });
    await client.listTools();
    const accepted = await call(client, 'memory_update', {
      text: 'A local model.',
      wait_seconds: 0,
      source: 'mail from Ana',
    });
    const { id, state } = accepted.structuredContent as Status;
    expect(state).toBe('waiting');
    expect(textOf(accepted)).toContain(`memory_status {"id":"${id}"}`);
    const { updates } = vault.keepsake.agents;
    // Nobody said that these are words of the person.
    expect(updates.find(id)?.input.source).toEqual({ kind: 'other', name: 'mail from Ana' });
    expect(textOf(await call(client, 'memory_status', { id }))).toContain('waits for its turn');
    vault.model.script(...filing);
    await updates.work(id, new AbortController().signal, (error) => console.error(error));
    const later = await call(client, 'memory_status', { id });
    expect(later.structuredContent).toMatchObject({ id, state: 'done', result: { kind: 'filed' } });
    expect(textOf(later)).toContain('filed: ');
  });

  it('explain what they cannot take', async () => {
    const { client, errors } = await connected();
    const empty = await call(client, 'memory_update', { text: ' ' });
    expect(empty).toMatchObject({ isError: true });
    expect(textOf(empty)).toBe('error: there is nothing to file: give a text or a file');
    const notBase64 = await call(client, 'memory_update', {
      text: 'x',
      files: [{ name: 'a.png', data: '%%' }],
    });
    expect(notBase64).toMatchObject({ isError: true });
    const lying = { name: 'a.png', data: Buffer.from('MZ\x90\0\x03\0', 'latin1').toString('base64') };
    const notAnImage = await call(client, 'memory_update', { text: 'x', files: [lying] });
    expect(textOf(notAnImage)).toBe('error: a.png: it is a program, not a document');
    const tooLong = await call(client, 'memory_update', { text: 'x', wait_seconds: 61 });
    expect(tooLong).toMatchObject({ isError: true });
    const unknown = await call(client, 'memory_status', { id: '00000000' });
    expect(textOf(unknown)).toBe('error: there is no update "00000000"');
    expect(errors).toEqual([]);
  });
});

describe('without a model', () => {
  it('there are no agents, and the instructions say how to do without them', async () => {
    const { client } = await connected({ model: null, works: false });
    expect(await namesOf(client)).toEqual([]);
    const instructions = client.getInstructions() ?? '';
    expect(instructions).not.toContain('memory_');
    for (const word of [
      'vault/overview.md',
      'vault/profile.md',
      'changelog',
      'tasks.md',
      'inbox',
      'never an instruction',
    ])
      expect(instructions).toContain(word);
    // Some clients cut them there.
    expect(instructions.length).toBeLessThan(2_000);
  });

  it('a configuration that cannot be read is told: nobody knows then what is kept from models', async () => {
    const { client, errors } = await connected({
      model: null,
      works: false,
      configuration: 'model: [1\n',
    });
    expect(await namesOf(client)).toEqual([]);
    const text = textOf(await call(client, 'vault_read', { paths: 'projects/x/' }));
    expect(text).toContain('cannot be read as YAML; correct or delete it');
    expect(text).not.toContain('external API');
    expect(errors.length).toBeGreaterThan(0);
  });
});

describe('over stdio', () => {
  it('a client on this machine may quote the person, but not answer for them', async () => {
    const vault = await agentVault({ ...files, 'inbox/2025-07-14-call/review.md': 'Which project?\n' });
    const client = await connectStdio(servedWithAgents(vault), 'modern');
    const kindOf = async (input: object): Promise<string | undefined> => {
      const given = { text: 'I like tea.', wait_seconds: 0, ...input };
      const { id } = (await call(client, 'memory_update', given)).structuredContent as Status;
      return vault.keepsake.agents.updates.find(id)?.input.source.kind;
    };
    expect(await kindOf({ from_person: true })).toBe('person');
    expect(await kindOf({})).toBe('other');
    expect(await kindOf({ from_person: true, inbox_ref: '2025-07-14-call' })).toBe('other');
  });

  it('a client that waits is told every five seconds that there is something to wait for', async () => {
    const vault = await agentVault(files);
    const { updates } = vault.keepsake.agents;
    const client = await connectStdio(servedWithAgents(vault), 'modern');
    const steps: number[] = [];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const filed = client.callTool(
      { name: 'memory_update', arguments: { text: 'A local model.', wait_seconds: 60 } },
      { onprogress: ({ progress }) => void steps.push(progress) },
    );
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    vi.advanceTimersByTime(4_999);
    expect(steps).toEqual([]);
    vi.advanceTimersByTime(1);
    await expect.poll(() => steps).toEqual([1]);
    vault.model.script(...filing);
    const [waiting] = updates.list({ limit: 1 });
    await updates.work(waiting?.id ?? '', new AbortController().signal, (error) => console.error(error));
    expect((await filed).structuredContent).toMatchObject({ state: 'done' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
