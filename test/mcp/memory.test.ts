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

/** A vault with a running update queue and a client over HTTP. */
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

describe('memory tools', () => {
  it('are registered if there is a model (memory_update only with write access) and described in the instructions', async () => {
    const { client } = await connected();
    expect(await namesOf(client)).toEqual([
      'memory_search',
      'memory_update',
      'memory_status',
      'memory_next',
      'memory_done',
    ]);
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
      blocks: [
        { number: 1, path: 'vault/projects/x/state.md', start: 3, end: 3, revision: expect.any(String) },
      ],
      found: 'yes',
      isCited: true,
      unsupported: [],
      notes: [],
    });
    expect(result.isError).toBeFalsy();
  });

  it('return an error for a claim without a citation', async () => {
    const { vault, client } = await connected();
    await client.listTools();
    vault.model.script(looking, { text: 'It was in 1969.' }, { text: 'It was in 1969.' });
    const result = await call(client, 'memory_search', { question: 'What about the moon?' });
    expect(result).toMatchObject({ isError: true, structuredContent: { found: 'yes', isCited: false } });
  });

  it('return an answer when the vault does not contain it', async () => {
    const { vault, client } = await connected();
    await client.listTools();
    vault.model.script(looking, { text: 'It says nothing.\nI searched everywhere.' });
    const result = await call(client, 'memory_search', { question: 'What about the moon?' });
    expect(textOf(result)).toBe(
      'It says nothing.\nI searched everywhere.\n\nnote: no lines of the vault are cited',
    );
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ found: 'no', isCited: false, blocks: [] });
  });

  it.each(eras)('file an update and wait for it (%s protocol)', async (era) => {
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
      // For a token client, it cannot be verified that the user said it.
      kind: 'other',
      // A 2025-era client over HTTP sends its name only in the handshake, which is not stored.
      name: era === 'modern' ? 'test-client' : 'mcp',
    });
  });

  it('return an id if filing takes longer than the client waits, and the status later', async () => {
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
    // The call did not attribute the input to the user.
    expect(updates.find(id)?.input.source).toEqual({ kind: 'other', name: 'mail from Ana' });
    expect(textOf(await call(client, 'memory_status', { id }))).toContain('queued');
    vault.model.script(...filing);
    await updates.work(id, new AbortController().signal, (error) => console.error(error));
    const later = await call(client, 'memory_status', { id });
    expect(later.structuredContent).toMatchObject({ id, state: 'done', result: { kind: 'filed' } });
    expect(textOf(later)).toContain('filed: ');
  });

  it('warn about a secret in the input without repeating it', async () => {
    const { client } = await connected({ works: false });
    await client.listTools();
    const secret = ['Tr0ub4dor', '9xq'].join('');
    const accepted = await call(client, 'memory_update', { text: `password=${secret}`, wait_seconds: 0 });
    expect(textOf(accepted)).toMatch(
      /^queued\. .*\nwarning: the text seems to contain a secret \(password\); the model gets a mask instead, and an inbox question will ask whether to keep it$/,
    );
    expect(JSON.stringify(accepted)).not.toContain(secret);
  });

  it('explain invalid input', async () => {
    const { client, errors } = await connected();
    const empty = await call(client, 'memory_update', { text: ' ' });
    expect(empty).toMatchObject({ isError: true });
    expect(textOf(empty)).toBe('error: the input is empty; pass a text or a file');
    const notBase64 = await call(client, 'memory_update', {
      text: 'x',
      files: [{ name: 'a.png', data: '%%' }],
    });
    expect(notBase64).toMatchObject({ isError: true });
    const lying = { name: 'a.png', data: Buffer.from('MZ\x90\0\x03\0', 'latin1').toString('base64') };
    const notAnImage = await call(client, 'memory_update', { text: 'x', files: [lying] });
    expect(textOf(notAnImage)).toBe('error: a.png: executables are not supported');
    const tooLong = await call(client, 'memory_update', { text: 'x', wait_seconds: 61 });
    expect(tooLong).toMatchObject({ isError: true });
    const unknown = await call(client, 'memory_status', { id: '00000000' });
    expect(textOf(unknown)).toBe('error: update "00000000" not found');
    expect(errors).toEqual([]);
  });
});

describe('the MCP server without a model', () => {
  it('has only the tools that need none, and its instructions describe the vault tools', async () => {
    const { client } = await connected({ model: null, works: false });
    expect(await namesOf(client)).toEqual(['memory_update', 'memory_next', 'memory_done']);
    const { client: reader } = await connected({ model: null, works: false, scope: 'read' });
    expect(await namesOf(reader)).toEqual([]);
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
    // Some clients truncate them at this length.
    expect(instructions.length).toBeLessThan(2_000);
  });

  it('advertises only the parameters that have an effect, and accepts the others', async () => {
    const { client } = await connected({ model: null, works: false });
    const update = (await client.listTools()).tools.find(({ name }) => name === 'memory_update');
    for (const name of ['as_note', 'wait_seconds'])
      expect(update?.inputSchema.properties).not.toHaveProperty(name);
    expect(JSON.stringify(update)).not.toContain('filing agent');
    const saved = await call(client, 'memory_update', { text: 'The valve is stuck.', as_note: true });
    expect(saved.isError).not.toBe(true);
  });

  it('saves what it is given as a note', async () => {
    const { vault, client } = await connected({ model: null, works: false });
    const saved = await call(client, 'memory_update', { text: 'The valve is stuck.', project: 'x' });
    const { paths } = (saved.structuredContent as { result: { paths: string[] } }).result;
    expect(paths).toContainEqual(expect.stringMatching(/^vault\/projects\/x\/bucket\/.*the-valve-is-stuck/));
    expect(vault.text(String(paths[0]).replace('vault/', ''))).toContain('The valve is stuck.');
    const wrong = await call(client, 'memory_update', { text: 'The roof leaks.', project: 'y' });
    expect(textOf(wrong)).toContain('no project y; the projects are: x');
  });

  it('reports an invalid configuration and blocks all files, because it cannot tell which ones are hidden', async () => {
    const { client, errors } = await connected({
      model: null,
      works: false,
      configuration: 'model: [1\n',
    });
    expect(await namesOf(client)).toEqual(['memory_update', 'memory_next', 'memory_done']);
    const text = textOf(await call(client, 'vault_read', { paths: 'projects/x/' }));
    expect(text).toContain('is not valid YAML; fix or delete it');
    expect(text).not.toContain('external API');
    expect(errors.length).toBeGreaterThan(0);
  });
});

describe('a local client over stdio', () => {
  it('may attribute an update to the user but not answer the inbox for them', async () => {
    const vault = await agentVault({ ...files, 'inbox/2025-07-14-call/review.md': 'Which project?\n' });
    const client = await connectStdio(servedWithAgents(vault), 'modern');
    const kindOf = async (input: object): Promise<string | undefined> => {
      const args = { text: 'I like tea.', wait_seconds: 0, ...input };
      const { id } = (await call(client, 'memory_update', args)).structuredContent as Status;
      return vault.keepsake.agents.updates.find(id)?.input.source.kind;
    };
    expect(await kindOf({ from_person: true })).toBe('person');
    expect(await kindOf({})).toBe('other');
    expect(await kindOf({ from_person: true, inbox_ref: '2025-07-14-call' })).toBe('other');
  });

  it('gets a progress notification every five seconds while it waits', async () => {
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
