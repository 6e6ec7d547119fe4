import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processVariables } from '../process-variables.ts';
import { address, call, connectHttp, connectStdio, eras, stdioCommand, textOf } from './clients.ts';
import { doors } from './doors.ts';
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
    const drawing = readFileSync(new URL('../../src/web/public/icon.svg', import.meta.url), 'utf8').trim();
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

describe.each(eras)('what does not exist (%s)', (era) => {
  it('is refused by name: tool, prompt, method', async () => {
    const client = await connectHttp((await mcpVault(files)).http, era);
    await expect(call(client, 'vault_nothing')).rejects.toThrow('vault_nothing not found');
    await expect(call(client, 'memory_search', { question: 'x' })).rejects.toThrow('not found');
    await expect(call(client, '__proto__')).rejects.toThrow('__proto__');
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow('not found');
  });

  it('arguments nobody asked for are refused', async () => {
    const client = await connectHttp((await mcpVault(files)).http, era);
    const result = await call(client, 'vault_tree', { path: 'projects/', sudo: true });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('sudo');
  });
});

describe('stdio', () => {
  /** Our server, fed line by line. */
  async function raw() {
    const vault = await mcpVault(files);
    const { command, args } = stdioCommand(vault);
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: processVariables,
    });
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const errors: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => void errors.push(text));
    const send = (message: unknown) =>
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    const receive = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
    return { child, send, receive, errors, vault };
  }
  const request = (id: number, method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: envelope },
  });

  it('survives what is no message, says so on stderr, and writes nothing but messages', async () => {
    const { send, receive, errors, child } = await raw();
    for (const nonsense of ['hello', '{', '[]', '42', '{"jsonrpc":"1.0"}', '\u0000']) send(nonsense);
    send(request(1, 'tools/list'));
    expect(await receive()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    send(request(2, 'no/such-method'));
    expect(await receive()).toMatchObject({ id: 2, error: { code: -32601 } });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(errors.join('')).toContain('Error');
  });

  it('ends when its client does, after the writes that were begun', async () => {
    const { send, receive, child, vault } = await raw();
    send(request(1, 'tools/list'));
    expect(await receive()).toMatchObject({ id: 1 });
    const note = { path: 'bucket/note.md', content: 'written\n' };
    send(request(2, 'tools/call', { name: 'vault_write', arguments: note }));
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
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

describe.each(doors)('skills over $name', ({ connect }) => {
  it('teach what the documentation teaches', async () => {
    const client = await connect(await mcpVault());
    expect(client.getServerCapabilities()?.extensions).toHaveProperty(['io.modelcontextprotocol/skills']);
    const { contents } = await client.readResource({ uri: 'skill://keepsake/SKILL.md' });
    expect(contents).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^---\nname: keepsake\n/) }),
    ]);
  });
});
