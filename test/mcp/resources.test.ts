import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseResourceUri, formatResourceUri } from '../../packages/vault/src/server/mcp/resource-uri.ts';
import { parseVaultPath } from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { call, connectHttp, connectStdio, textOf } from './clients.ts';
import { pdfOf } from '../pdf-of.ts';
import { mcpVault, served } from './mcp-vault.ts';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

describe('resources', () => {
  it('are listed with their type and read as text or bytes', async () => {
    const client = await connectStdio(
      await mcpVault({
        'tasks.md': '---\nupdated: 2025-07-14T18:30:00\n---\n# one\n',
        'bucket/Été 1.md': 'warm\n',
        'bucket/dot.GIF': gif,
        'bucket/raw.json': '{}',
      }),
      'modern',
    );
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['vault://bucket/dot.GIF', 'image/gif'],
      ['vault://bucket/%C3%89t%C3%A9%201.md', 'text/markdown'],
      ['vault://tasks.md', 'text/markdown'],
    ]);
    expect(resources[2]?.annotations?.lastModified).toBe(new Date('2025-07-14T18:30:00').toISOString());
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await read('vault://bucket/%C3%89t%C3%A9%201.md')).toEqual([
      { uri: 'vault://bucket/%C3%89t%C3%A9%201.md', mimeType: 'text/markdown', text: 'warm\n' },
    ]);
    expect(await read('vault://bucket/dot.GIF')).toEqual([
      { uri: 'vault://bucket/dot.GIF', mimeType: 'image/gif', blob: gif.toString('base64') },
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: 'vault://{+path}' },
      { uriTemplate: expect.stringMatching(/^skill:/) },
    ]);
  });

  it('cause an error with the reason when they cannot be read', async () => {
    const client = await connectStdio(
      await mcpVault({ 'tasks.md': '# one\n', 'projects/x.md': '# x\n' }),
      'modern',
    );
    const read = (uri: string) => client.readResource({ uri });
    await expect(read('vault://task.md')).rejects.toThrow('file not found; did you mean vault://tasks.md?');
    await expect(read('vault://..%2f..%2fetc/passwd')).rejects.toThrow('.. is not allowed');
    await expect(read('vault://projects')).rejects.toThrow('it is a folder');
    await expect(read('vault://tasks.md?x=1')).rejects.toThrow('no query or fragment');
    await expect(read('vault://%ff.md')).rejects.toThrow('invalid percent-encoding');
    await expect(read('file:///etc/passwd')).rejects.toThrow('not found');
  });

  it('cause an error that says what to do when the vault is missing', async () => {
    const vault = await mcpVault({ 'tasks.md': '# one\n' });
    const client = await connectStdio(vault, 'modern');
    await client.listResources();
    renameSync(vault.folder, `${vault.folder}-away`);
    const advice = '(ENOENT); check whether it was moved or unmounted';
    await expect(client.readResource({ uri: 'vault://tasks.md' })).rejects.toThrow(advice);
    expect(textOf(await call(client, 'vault_read', { paths: 'tasks.md' }))).toContain(advice);
  });
});

describe('resource URI', () => {
  it('round-trips every file name', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const parsed = parseVaultPath(names.join('/'));
        fc.pre(parsed.ok && parsed.path.includes('/'));
        const uri = formatResourceUri(parsed.path);
        expect(new URL(uri).href).toBe(uri);
        expect(parseResourceUri(new URL(uri))).toEqual(parsed);
      }),
      // Folders with the same name as the vault root.
      { examples: [[['vault', 'vault']], [['vault', 'vault', 'x.md']], [['vaults']]] },
    );
  });
});

describe('a document', () => {
  it('is read as its text, like the tool does, or as bytes if it has none', async () => {
    const scan = '%PDF-1.4\nstartxref\n';
    const client = await connectStdio(
      await mcpVault({ 'offer.pdf': pdfOf('A worktop of soapstone'), 'scan.pdf': scan }),
      'modern',
    );
    const read = async (path: string) => (await client.readResource({ uri: `vault://${path}` })).contents[0];
    expect(await read('offer.pdf')).toMatchObject({
      mimeType: 'text/markdown',
      text: 'A worktop of soapstone',
    });
    expect(await read('scan.pdf')).toMatchObject({ blob: Buffer.from(scan).toString('base64') });
    const named = await call(client, 'vault_read', { paths: ['offer.pdf', 'scan.pdf'] });
    expect(textOf(named)).toContain('1  | A worktop of soapstone');
    expect(textOf(named)).toContain('error: vault/scan.pdf: the file is damaged');
    expect(JSON.stringify(named)).not.toContain('%PDF');
  });
});

describe('long resource list', () => {
  it('is paged by path, so that added and removed files do not shift the pages', async () => {
    const paths = Array.from(
      { length: 2_100 },
      (_, index) => `vault/bucket/note-${String(index).padStart(4, '0')}.md` as VaultPath,
    );
    const { backend } = await mcpVault();
    const listFiles = async () => paths.map((path) => ({ path, updated: null, tokens: 1 }));
    const client = await connectStdio(served({ ...backend, listFiles }), 'modern');
    const first = await client.listResources({});
    // The client fetches all pages itself.
    expect(first.resources).toHaveLength(2_100);
    const page = await client.request({
      method: 'resources/list',
      params: { cursor: 'bucket/note-1999.md' },
    });
    expect(page.resources.map(({ name }) => name)).toEqual(paths.slice(2_000));
    await expect(client.request({ method: 'resources/list', params: { cursor: '../x' } })).rejects.toThrow(
      'invalid cursor',
    );
  });
});

/** The notifications that a client gets: URIs of changed resources, and the number of list changes. */
function heard(client: Client): { updated: string[]; lists: () => number } {
  const updated: string[] = [];
  let lists = 0;
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void updated.push(params.uri),
  );
  client.setNotificationHandler('notifications/resources/list_changed', () => void (lists += 1));
  return { updated, lists: () => lists };
}

describe('subscription to file changes', () => {
  const files = { 'tasks.md': '# one\n', 'overview.md': '# two\n' };
  const append = (path: string) => ({ path, content: 'More.', position: 'bottom' });

  it('notifies only its subscriber over HTTP, about the requested files', async () => {
    const { http } = await mcpVault(files);
    const listener = await connectHttp(http, 'modern', 'read');
    const writer = await connectHttp(http, 'legacy');
    const { updated, lists } = heard(listener);
    const subscription = await listener.listen({
      resourceSubscriptions: ['vault://tasks.md'],
      resourcesListChanged: true,
      toolsListChanged: true,
    });
    expect(subscription.honoredFilter).toEqual({
      resourceSubscriptions: ['vault://tasks.md'],
      resourcesListChanged: true,
    });
    await call(writer, 'vault_append', append('overview.md'));
    await call(writer, 'vault_append', append('tasks.md'));
    await expect.poll(() => updated).toEqual(['vault://tasks.md']);
    // The first notification is always sent, because the previous list is unknown.
    await expect.poll(() => lists()).toBe(1);
    await call(writer, 'vault_append', append('tasks.md'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(lists()).toBe(1);
    await call(writer, 'vault_write', { path: 'bucket/new.md', content: 'x\n' });
    await expect.poll(() => lists()).toBe(2);
    // The remaining subscriber proves that the notification was sent; the server notices the other's disconnect a moment later.
    const other = await connectHttp(http, 'modern', 'read');
    const still = heard(other).updated;
    await other.listen({ resourceSubscriptions: ['vault://tasks.md'] });
    await subscription.close();
    const heardByWhoLeft = async () => {
      const [before, sent] = [updated.length, still.length];
      await call(writer, 'vault_append', append('tasks.md'));
      await expect.poll(() => still.length).toBeGreaterThan(sent);
      return updated.length - before;
    };
    await expect.poll(heardByWhoLeft).toBe(0);
  });

  it('notifies its subscriber over stdio', async () => {
    const client = await connectStdio(await mcpVault(files), 'modern');
    const { updated } = heard(client);
    await client.listen({ resourceSubscriptions: ['vault://tasks.md'] });
    await call(client, 'vault_append', append('overview.md'));
    await call(client, 'vault_append', append('tasks.md'));
    await expect.poll(() => updated).toEqual(['vault://tasks.md']);
  });

  it('notifies a client with a 2025 protocol version over stdio until the client unsubscribes', async () => {
    const client = await connectStdio(await mcpVault(files), 'legacy');
    const { updated, lists } = heard(client);
    await client.subscribeResource({ uri: 'vault://tasks.md' });
    await call(client, 'vault_append', append('overview.md'));
    await call(client, 'vault_append', append('tasks.md'));
    await expect.poll(() => updated).toEqual(['vault://tasks.md']);
    await expect.poll(() => lists()).toBe(1);
    await client.unsubscribeResource({ uri: 'vault://tasks.md' });
    await call(client, 'vault_append', append('tasks.md'));
    expect(updated).toHaveLength(1);
  });

  it('is not available over HTTP to a client with a 2025 protocol version', async () => {
    const client = await connectHttp((await mcpVault(files)).http, 'legacy');
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: false, listChanged: false });
    await expect(client.subscribeResource({ uri: 'vault://tasks.md' })).rejects.toThrow('Method not found');
  });

  it('ends gracefully when the server stops', async () => {
    const { http } = await mcpVault(files);
    const client = await connectHttp(http, 'modern');
    const subscription = await client.listen({ resourcesListChanged: true });
    await http.close();
    expect(await subscription.closed).toBe('graceful');
  });
});

describe('prompts', () => {
  it('are listed, and complete project names', async () => {
    const vault = await mcpVault({ 'projects/startup-x/state.md': 'x\n', 'projects/garden/state.md': 'x\n' });
    writeFileSync(join(vault.folder, 'projects/loose.md'), 'x\n');
    const client = await connectHttp(vault.http, 'modern');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'brief_project',
      'weekly_review',
      'file_conversation',
      'file_waiting',
    ]);
    const brief = await client.getPrompt({ name: 'brief_project', arguments: { project: 'startup-x' } });
    expect(brief.messages).toMatchObject([
      { role: 'user', content: { text: expect.stringContaining('"startup-x"') } },
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'brief_project' },
      argument: { name: 'project', value: 's' },
    });
    expect(completion.values).toEqual(['startup-x']);
    await expect(client.getPrompt({ name: 'brief_project' })).rejects.toThrow('Invalid arguments');
    const filing = await client.getPrompt({ name: 'file_conversation' });
    expect(JSON.stringify(filing)).not.toContain('memory_update');
  });
});
