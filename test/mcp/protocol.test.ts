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
  return http.fetch(request, { connection: 'token test', scope: 'write' });
}

const modern = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

describe('MCP over HTTP', () => {
  it.each([
    ['invalid JSON', '{"jsonrpc": "2.0", ', {}, 400],
    ['an empty body', '', {}, 400],
    ['an object that is not a message', { hello: 'world' }, {}, 400],
    ['a number', '42', {}, 400],
    ['an empty batch', '[]', {}, 400],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 415],
    [
      'an unknown revision',
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
  ])('rejects %s', async (_, body, headers, status) => {
    const response = await post(await mcpVault(files), body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  });

  it('rejects a body over 30 MB before parsing it', async () => {
    const vault = await mcpVault(files);
    const input = {
      name: 'vault_write',
      arguments: { path: 'bucket/x.md', content: 'x'.repeat(31_000_000) },
    };
    const response = await post(vault, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: input });
    expect(response.status).toBe(413);
  });

  it.each(['GET', 'DELETE', 'PUT'])('rejects %s, because there are no sessions', async (method) => {
    const { http } = await mcpVault(files);
    const response = await http.fetch(new Request(address, { method }), {
      connection: 'token test',
      scope: 'write',
    });
    expect(response.status).toBe(405);
  });

  it('allows clients to cache lists for a minute, and inlines the icon of the web interface', async () => {
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

  it('rejects a header that contradicts the body, without calling the tool', async () => {
    const vault = await mcpVault(files);
    const params = { name: 'vault_delete', arguments: { path: 'tasks.md' }, _meta: envelope };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const response = await post(vault, body, modern('tools/call', 'vault_read'));
    expect(response.status).toBe(400);
    expect(await vault.text('read', { paths: 'tasks.md' })).toContain('# one');
  });

  it('rejects writes with the read scope, with or without MCP headers', async () => {
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
      expect(await (await http.fetch(request, { connection: 'token test', scope: 'read' })).text()).toContain(
        'error',
      );
    }
    expect(await text('read', { paths: 'tasks.md' })).toContain('# one');
  });
});

describe('an MCP error', () => {
  it('names an unknown tool or prompt', async () => {
    const client = await connectHttp((await mcpVault(files)).http, 'modern');
    await expect(call(client, 'vault_nothing')).rejects.toThrow('vault_nothing not found');
    await expect(call(client, 'memory_search', { question: 'x' })).rejects.toThrow('not found');
    await expect(call(client, '__proto__')).rejects.toThrow('__proto__');
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow('not found');
  });

  it('names an unknown argument', async () => {
    const client = await connectHttp((await mcpVault(files)).http, 'modern');
    const result = await call(client, 'vault_tree', { path: 'projects/', sudo: true });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('sudo');
  });
});

describe('stdio server', () => {
  /** A server with access to its raw lines. */
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

  it('survives and reports invalid messages, and writes only MCP messages', async () => {
    const { vault, send, receive } = await raw();
    for (const nonsense of ['hello', '{', '[]', '42', '{"jsonrpc":"1.0"}', '\u0000']) send(nonsense);
    send(request(1, 'tools/list'));
    expect(await receive()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    send(request(2, 'no/such-method'));
    expect(await receive()).toMatchObject({ id: 2, error: { code: -32601 } });
    // The SDK ignores lines that are not JSON.
    expect(vault.errors).toHaveLength(3);
  });

  it('closes after its client disconnects and pending writes complete', async () => {
    const { vault, send, receive, input, closed } = await raw();
    send(request(1, 'tools/list'));
    expect(await receive()).toMatchObject({ id: 1 });
    const note = { path: 'bucket/note.md', content: 'written\n' };
    send(request(2, 'tools/call', { name: 'vault_write', arguments: note }));
    input.end();
    await closed;
    expect(readFileSync(join(vault.folder, 'bucket/note.md'), 'utf8')).toContain('written');
  });

  it.each(eras)('assigns each response to the right one of many concurrent calls (%s)', async (era) => {
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
      // A 2025 client over HTTP sends its name only in the handshake, which is not stored.
      origin: era === 'modern' ? 'mcp: test-client' : 'mcp',
      connect: ({ http }: McpVault) => connectHttp(http, era),
    },
    {
      name: `stdio, ${era}`,
      origin: 'mcp: test-client',
      connect: (vault: McpVault) => connectStdio(vault, era),
    },
  ]),
)('MCP over $name', ({ origin, connect }) => {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const image = { type: 'image', mimeType: 'image/png', data: pixel.toString('base64') };

  it('returns text, structured output, images in the order of the text, and errors from tools', async () => {
    const vault = await mcpVault({ ...files, 'bucket/shot.png': pixel, 'bucket/other.png': pixel });
    const client = await connect(vault);
    // After this call, the client validates every structured result against its schema.
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
    expect(textOf(missing)).toBe('error: vault/task.md: file not found; did you mean vault/tasks.md?');
    await expect(call(client, 'vault_nothing')).rejects.toThrow('vault_nothing not found');
    expect(vault.errors).toEqual([]);
  });

  it('serves text and binary resources, prompts and the skill', async () => {
    const client = await connect(await mcpVault({ ...files, 'bucket/dot.png': pixel }));
    const contentsOf = async (uri: string) => (await client.readResource({ uri })).contents;
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'vault://bucket/dot.png',
      'vault://tasks.md',
    ]);
    expect(await contentsOf('vault://tasks.md')).toMatchObject([{ text: '# one\n' }]);
    expect(await contentsOf('vault://bucket/dot.png')).toMatchObject([{ blob: image.data }]);
    await expect(client.readResource({ uri: 'vault://task.md' })).rejects.toThrow(
      'file not found; did you mean vault://tasks.md?',
    );
    const { messages } = await client.getPrompt({ name: 'brief_project', arguments: { project: 'x' } });
    expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('"x"') } }]);
    expect(client.getServerCapabilities()?.extensions).toHaveProperty(['io.modelcontextprotocol/skills']);
    expect(await contentsOf('skill://keepsake/SKILL.md')).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^---\nname: keepsake\n/) }),
    ]);
  });
});
