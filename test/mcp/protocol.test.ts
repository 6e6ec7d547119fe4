import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { address, call, connectHttp, connectStdio, eras, serveStdio, textOf } from './clients.ts';
import { mcpVault } from './mcp-vault.ts';
import type { McpVault } from './mcp-vault.ts';

const files = { 'tasks.md': '# one\n' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function post({ http }: McpVault, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request = new Request(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: text,
  });
  return http.fetch(request, 'write');
}

const modern = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

describe('what is not MCP, over HTTP', () => {
  it.each([
    ['no JSON', '{"jsonrpc": "2.0", ', {}, 400],
    ['nothing', '', {}, 400],
    ['no message', { hello: 'world' }, {}, 400],
    ['a number', '42', {}, 400],
    ['an empty batch', '[]', {}, 400],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 415],
    [
      'a revision nobody knows',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
      },
      { 'mcp-protocol-version': '2099-01-01' },
      400,
    ],
    [
      'an envelope without its headers',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope } },
      {},
      400,
    ],
  ])('%s is refused', async (_, body, headers, status) => {
    const response = await post(await mcpVault(files), body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  });

  it('a body over 30 MB is refused before it is understood', async () => {
    const vault = await mcpVault(files);
    const input = {
      name: 'vault_write',
      arguments: { path: 'bucket/x.md', content: 'x'.repeat(31_000_000) },
    };
    const response = await post(vault, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: input });
    expect(response.status).toBe(413);
  });

  it.each(['GET', 'DELETE', 'PUT'])('%s is not for us: there are no sessions', async (method) => {
    const { http } = await mcpVault(files);
    const response = await http.fetch(new Request(address, { method }), 'write');
    expect(response.status).toBe(405);
  });

  it('lists may be kept for a minute, and the icon is that of the web interface, in the message itself', async () => {
    const vault = await mcpVault(files);
    const ask = async (method: string) => {
      const body = { jsonrpc: '2.0', id: 1, method, params: { _meta: envelope } };
      return JSON.stringify(await (await post(vault, body, modern(method))).json());
    };
    expect(await ask('tools/list')).toContain('"ttlMs":60000');
    const drawing = readFileSync(
      new URL('../../packages/vault/src/web/public/icon.svg', import.meta.url),
      'utf8',
    ).trim();
    expect(await ask('server/discover')).toContain(`data:image/svg+xml,${encodeURIComponent(drawing)}`);
  });

  it('a header that does not say what the body says is refused, and nothing is called', async () => {
    const vault = await mcpVault(files);
    const params = { name: 'vault_delete', arguments: { path: 'tasks.md' }, _meta: envelope };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const response = await post(vault, body, modern('tools/call', 'vault_read'));
    expect(response.status).toBe(400);
    expect(await vault.text('read', { paths: 'tasks.md' })).toContain('# one');
  });

  it('a call of a scope that may not write changes nothing, however it is sent', async () => {
    const { http, text } = await mcpVault(files);
    const params = { name: 'vault_delete', arguments: { path: 'tasks.md' }, _meta: envelope };
    for (const headers of [modern('tools/call', 'vault_delete'), {}]) {
      const request = new Request(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      expect(await (await http.fetch(request, 'read')).text()).toContain('error');
    }
    expect(await text('read', { paths: 'tasks.md' })).toContain('# one');
  });
});

describe('what does not exist', () => {
  it('is refused by name: tool, prompt, method', async () => {
    const client = await connectHttp((await mcpVault(files)).http, 'modern');
    await expect(call(client, 'vault_nothing')).rejects.toThrow('vault_nothing not found');
    await expect(call(client, 'memory_search', { question: 'x' })).rejects.toThrow('not found');
    await expect(call(client, '__proto__')).rejects.toThrow('__proto__');
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow('not found');
  });

  it('arguments nobody asked for are refused', async () => {
    const client = await connectHttp((await mcpVault(files)).http, 'modern');
    const result = await call(client, 'vault_tree', { path: 'projects/', sudo: true });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('sudo');
  });
});

describe('stdio', () => {
  /** A server, fed line by line. */
  async function raw() {
    const vault = await mcpVault(files);
    const { input, output, closed } = serveStdio(vault);
    const lines = createInterface({ input: output })[Symbol.asyncIterator]();
    const send = (message: unknown) =>
      input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    const receive = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
    return { vault, send, receive, input, closed };
  }
  const request = (id: number, method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: envelope },
  });

  it('survives what is no message, reports it, and writes nothing but messages', async () => {
    const { vault, send, receive } = await raw();
    for (const nonsense of ['hello', '{', '[]', '42', '{"jsonrpc":"1.0"}', '\u0000']) send(nonsense);
    send(request(1, 'tools/list'));
    expect(await receive()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    send(request(2, 'no/such-method'));
    expect(await receive()).toMatchObject({ id: 2, error: { code: -32601 } });
    // The SDK passes over lines that are no JSON.
    expect(vault.errors).toHaveLength(3);
  });

  it('ends when its client does, after the writes that were begun', async () => {
    const { vault, send, receive, input, closed } = await raw();
    send(request(1, 'tools/list'));
    expect(await receive()).toMatchObject({ id: 1 });
    const note = { path: 'bucket/note.md', content: 'written\n' };
    send(request(2, 'tools/call', { name: 'vault_write', arguments: note }));
    input.end();
    await closed;
    expect(readFileSync(join(vault.folder, 'bucket/note.md'), 'utf8')).toContain('written');
  });

  it.each(eras)('answers many calls at once, each with its own answer (%s)', async (era) => {
    const client = await connectStdio(await mcpVault(files), era);
    const paths = Array.from({ length: 40 }, (_, index) => `bucket/note-${index}.md`);
    await Promise.all(paths.map((path) => call(client, 'vault_write', { path, content: `${path}\n` })));
    const read = await Promise.all(paths.map((path) => call(client, 'vault_read', { paths: path })));
    expect(read.map((result, index) => textOf(result).includes(`| ${paths[index]}`))).not.toContain(false);
  });
});

describe.each(
  eras.flatMap((era) => [
    {
      name: `HTTP, ${era}`,
      // A client of 2025 over HTTP says its name only once, and nothing is remembered of it.
      origin: era === 'modern' ? 'mcp: test-client' : 'mcp',
      connect: ({ http }: McpVault) => connectHttp(http, era),
    },
    {
      name: `stdio, ${era}`,
      origin: 'mcp: test-client',
      connect: (vault: McpVault) => connectStdio(vault, era),
    },
  ]),
)('over $name', ({ origin, connect }) => {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const image = { type: 'image', mimeType: 'image/png', data: pixel.toString('base64') };

  it('a tool gives text, structured output, images in the order of the text, and errors', async () => {
    const vault = await mcpVault({ ...files, 'bucket/shot.png': pixel, 'bucket/other.png': pixel });
    const client = await connect(vault);
    // From here on the client checks every structured result against its schema.
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('vault_undo');
    const written = await call(client, 'vault_write', { path: 'bucket/new.md', content: 'x\n' });
    expect(written.structuredContent).toMatchObject({ changes: [{ kind: 'created' }], errors: [] });
    expect(vault.keepsake.changes.list({ limit: 10 })).toMatchObject([{ origin }]);
    const { content } = await call(client, 'vault_read', { paths: ['bucket/shot.png', 'bucket/other.png'] });
    const text = expect.stringMatching(/^\[image vault\/bucket\/shot.png .*\n\n\[image vault\/bucket\/other/);
    expect(content).toEqual([{ type: 'text', text }, image, image]);
    const missing = await call(client, 'vault_read', { paths: 'task.md' });
    expect(missing).toMatchObject({ isError: true });
    expect(textOf(missing)).toBe('error: vault/task.md: no such file; closest: vault/tasks.md');
    await expect(call(client, 'vault_nothing')).rejects.toThrow('vault_nothing not found');
    expect(vault.errors).toEqual([]);
  });

  it('a resource is text or bytes, a prompt has words, and a skill teaches what the documentation teaches', async () => {
    const client = await connect(await mcpVault({ ...files, 'bucket/dot.png': pixel }));
    const contentsOf = async (uri: string) => (await client.readResource({ uri })).contents;
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'vault://bucket/dot.png',
      'vault://tasks.md',
    ]);
    expect(await contentsOf('vault://tasks.md')).toMatchObject([{ text: '# one\n' }]);
    expect(await contentsOf('vault://bucket/dot.png')).toMatchObject([{ blob: image.data }]);
    await expect(client.readResource({ uri: 'vault://task.md' })).rejects.toThrow(
      'no such file; closest: vault://tasks.md',
    );
    const { messages } = await client.getPrompt({ name: 'brief_project', arguments: { project: 'x' } });
    expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('"x"') } }]);
    expect(client.getServerCapabilities()?.extensions).toHaveProperty(['io.modelcontextprotocol/skills']);
    expect(await contentsOf('skill://keepsake/SKILL.md')).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^---\nname: keepsake\n/) }),
    ]);
  });
});
