import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { describeTool, tools } from '../../packages/vault/src/tools/index.ts';
import { call, connectHttp, connectStdio, eras, textOf } from './clients.ts';
import { mcpVault } from './mcp-vault.ts';
import type { McpVault } from './mcp-vault.ts';

const files = {
  'overview.md': '# Overview\n',
  'tasks.md': '# Write the report\n\nstatus: open\n',
  'projects/x/state.md': '## State\n\nWe dropped the external API.\n',
};

/** The structured result of a call that must succeed. */
async function value(client: Client, name: string, input: object): Promise<Record<string, unknown>> {
  const result = await call(client, name, input);
  if (result.isError === true) throw new Error(textOf(result));
  return result.structuredContent as Record<string, unknown>;
}

const revisionOf = ({ structuredContent }: CallToolResult): string =>
  (structuredContent as { files: { revision: string }[] }).files[0]!.revision;

/** Calls over stdio share a run; over HTTP each call gets a new server with only the called tool. */
const transports = [
  { name: 'stdio', hasRun: true, connect: (vault: McpVault) => connectStdio(vault, 'modern') },
  { name: 'HTTP', hasRun: false, connect: ({ http }: McpVault) => connectHttp(http, 'modern') },
];

describe.each(transports)('vault tools over $name', ({ hasRun, connect }) => {
  it('are listed with their descriptions, together with the history tools', async () => {
    const client = await connect(await mcpVault(files));
    const listed = (await client.listTools()).tools;
    const vaultTools = [...tools.map(({ name }) => `vault_${name}`), 'vault_history', 'vault_undo'];
    const names = [...vaultTools, 'memory_update', 'memory_next', 'memory_done'];
    expect(listed.map(({ name }) => name)).toEqual(names);
    for (const [index, tool] of tools.entries()) {
      const { title, description = '', inputSchema, outputSchema, annotations } = listed[index]!;
      expect(title).toBe(tool.title);
      expect(description).toBe(describeTool(tool, { hasEmbedder: false, toolInterface: 'mcp' }).description);
      expect(description).not.toContain('`');
      expect(description).toContain('Example: {');
      const takesRevision = !hasRun && ['write', 'edit'].includes(tool.name);
      expect('revision' in (inputSchema.properties ?? {})).toBe(takesRevision);
      expect('run' in (inputSchema.properties ?? {})).toBe(!['concat', 'today'].includes(tool.name));
      expect(outputSchema?.properties).toHaveProperty('errors');
      // Some clients do not support union types.
      expect(JSON.stringify(inputSchema)).not.toContain('null');
      expect(annotations).toMatchObject({ readOnlyHint: tool.effect === 'read', openWorldHint: false });
    }
  });

  it('offer deep search only if an embedding model is set up', async () => {
    for (const hasEmbedder of [true, false]) {
      const vault = await mcpVault(files);
      vault.backend.hasEmbedder = async () => hasEmbedder;
      const client = await connect(vault);
      const search = (await client.listTools()).tools.find(({ name }) => name === 'vault_search');
      expect([hasEmbedder, 'mode' in (search?.inputSchema.properties ?? {})]).toEqual([
        hasEmbedder,
        hasEmbedder,
      ]);
      // A client that learned the parameter elsewhere is not refused.
      expect(await value(client, 'vault_search', { queries: ['report'], mode: 'fast' })).toHaveProperty(
        'matched',
      );
    }
  });

  it('all work and match their output schemas', async () => {
    const vault = await mcpVault(files);
    const client = await connect(vault);
    // After this call, the client validates every structured result against its schema.
    await client.listTools();
    expect(await value(client, 'vault_tree', { depth: 1 })).toMatchObject({ errors: [] });
    const read = await call(client, 'vault_read', { paths: 'tasks.md' });
    expect(textOf(read)).toContain('1  | # Write the report');
    expect(read.structuredContent).toMatchObject({ text: expect.stringContaining('# Write the report') });
    const found = await value(client, 'vault_search', { queries: ['external API'] });
    expect(found).toMatchObject({ sections: [{ path: 'vault/projects/x/state.md' }] });
    const quoted = await value(client, 'vault_concat', { files: [{ path: 'tasks.md', lines: '1-1' }] });
    expect(quoted).toMatchObject({ text: '```vault/tasks.md (lines 1-1)\n1  | # Write the report\n```' });
    const edited = await value(client, 'vault_edit', {
      path: 'tasks.md',
      old: '3  | status: open',
      new: 'status: done',
      ...(!hasRun && { revision: revisionOf(read) }),
    });
    expect(edited).toMatchObject({ changes: [{ path: 'vault/tasks.md', kind: 'changed' }] });
    await value(client, 'vault_write', { path: 'bucket/note.md', content: '# Note\n' });
    await value(client, 'vault_append', { path: 'bucket/note.md', content: 'More.', position: 'bottom' });
    await value(client, 'vault_move', { from: 'bucket/note.md', to: 'projects/x/note.md' });
    expect(readFileSync(join(vault.folder, 'projects/x/note.md'), 'utf8')).toMatch(/# Note\n\nMore\.\n$/);
    const deleted = await value(client, 'vault_delete', { path: 'projects/x/note.md' });
    expect(deleted).toMatchObject({ changes: [{ kind: 'deleted' }] });
    expect(readFileSync(join(vault.folder, 'tasks.md'), 'utf8')).toContain('status: done');
    expect(vault.errors).toEqual([]);
  });
});

describe('a vault tool', () => {
  it('returns a collapsed tree of a large vault without repeating it in the structured result', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [
        `projects/project-${index % 30}/notes/note-${index}.md`,
        `# ${index}\n`,
      ]),
    );
    const client = await connectStdio(await mcpVault(many), 'modern');
    const result = await call(client, 'vault_tree', {});
    const text = textOf(result);
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text).toContain('call vault_tree with a folder path to see more');
    expect(text).toContain('project-29/');
    expect(result.structuredContent).toEqual({ text, errors: [] });
  });

  it('returns errors in the result, and sets isError only if there is no other output', async () => {
    const client = await connectStdio(await mcpVault(files), 'modern');
    await client.listTools();
    const refused = await call(client, 'vault_read', { paths: 'tasks.md', head: 0 });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toContain('error: vault_read.head: must be at least 1');
    const missing = await call(client, 'vault_read', { paths: 'task.md' });
    expect(missing).toMatchObject({ isError: true });
    expect(textOf(missing)).toBe('error: vault/task.md: file not found; did you mean vault/tasks.md?');
    const partly = await call(client, 'vault_read', { paths: ['tasks.md', 'task.md'] });
    expect(partly.isError).toBeUndefined();
    expect(textOf(partly)).toContain('error: vault/task.md: file not found');
    const unknown = await call(client, 'vault_append', {
      path: 'tasks.md',
      content: 'x',
      position: 'middle',
    });
    expect(unknown).toMatchObject({ isError: true });
  });
});

describe('the read-before-write check', () => {
  const change = { path: 'tasks.md', old: 'status: open', new: 'status: done' };

  it.each(eras)('tracks reads per connection over stdio (%s)', async (era) => {
    const vault = await mcpVault(files);
    const client = await connectStdio(vault, era);
    expect(textOf(await call(client, 'vault_edit', change))).toContain('read the file first');
    await call(client, 'vault_read', { paths: 'tasks.md' });
    expect((await call(client, 'vault_edit', change)).isError).toBeUndefined();
    const other = await connectStdio(vault, era);
    const replaced = await call(other, 'vault_write', { path: 'tasks.md', content: 'x\n' });
    expect(textOf(replaced)).toContain('the file exists; read it first, or use vault_append or vault_edit');
    const missing = await call(other, 'vault_read', { paths: 'nowhere/near.md' });
    expect(textOf(missing)).toContain('call vault_tree to list files');
  });

  it.each(eras)(
    'requires the revision over HTTP, which text and structured result both contain (%s)',
    async (era) => {
      const client = await connectHttp((await mcpVault(files)).http, era);
      const read = await call(client, 'vault_read', { paths: 'tasks.md' });
      const revision = revisionOf(read);
      expect(textOf(read)).toContain(`revision of vault/tasks.md: ${revision}`);
      expect(textOf(await call(client, 'vault_edit', change))).toContain('read the file first');
      const edited = await call(client, 'vault_edit', { ...change, revision });
      const next = /revision of vault\/tasks\.md: (\w+)/.exec(textOf(edited))?.[1];
      const stale = await call(client, 'vault_write', { path: 'tasks.md', content: 'x\n', revision });
      expect(textOf(stale)).toContain('the file changed after it was read');
      const fresh = await call(client, 'vault_write', { path: 'tasks.md', content: 'x\n', revision: next });
      expect(fresh.isError).toBeUndefined();
    },
  );

  it('rejects a revision argument over stdio, where reads are tracked', async () => {
    const client = await connectStdio(await mcpVault(files), 'modern');
    const edited = await call(client, 'vault_edit', { ...change, revision: '0000000000000000' });
    expect(edited).toMatchObject({ isError: true });
    expect(textOf(edited)).toContain('revision');
  });
});

describe('a read-only connection', () => {
  const writing = ['vault_write', 'vault_edit', 'vault_append', 'vault_move', 'vault_delete', 'vault_undo'];
  const input = { path: 'bucket/x.md', content: 'x' };

  it.each([
    ...eras.map((era) => ({
      name: `read token (${era})`,
      connect: async () => connectHttp((await mcpVault(files)).http, era, 'read'),
    })),
    {
      name: 'read-only server',
      connect: async () => connectHttp((await mcpVault(files, { isReadOnly: true })).http, 'modern', 'write'),
    },
    {
      name: 'stdio',
      connect: async () => connectStdio(await mcpVault(files), 'modern', { isReadOnly: true }),
    },
  ])('neither lists nor executes write tools: $name', async ({ connect }) => {
    const client = await connect();
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual([
      'vault_tree',
      'vault_read',
      'vault_search',
      'vault_concat',
      'vault_today',
      'vault_history',
    ]);
    for (const name of writing) await expect(call(client, name, input)).rejects.toThrow('not found');
    expect(client.getInstructions()).toContain('read-only');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['brief_project', 'weekly_review']);
  });
});
