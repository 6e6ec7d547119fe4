import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { createMcpFactory } from '../../packages/vault/src/server/mcp/index.ts';
import { call, textOf } from './clients.ts';
import { mcpVault } from './mcp-vault.ts';

it('MCP servers of the same run share the record of lines shown', async () => {
  const { backend } = await mcpVault({ 'tasks.md': '# one\n' });
  const options = { isReadOnly: false, version: '1', origin: 'test' };
  const connect = async (run: string): Promise<Client> => {
    const server = await createMcpFactory(backend, { ...options, run })({ era: 'legacy' });
    const [here, there] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    await server.connect(there);
    await client.connect(here);
    return client;
  };
  const change = { path: 'tasks.md', old: '# one', new: '# two' };
  await call(await connect('a'), 'vault_read', { paths: 'tasks.md' });
  expect(textOf(await call(await connect('b'), 'vault_edit', change))).toContain('read the file first');
  expect(textOf(await call(await connect('a'), 'vault_edit', change))).toContain('edited vault/tasks.md');
});
